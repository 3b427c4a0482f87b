// A log from Rust without its standard library, as on a device: a thousand rows into log.parquet.
//
//   rustc -C panic=abort -C opt-level=s log_from_rust.rs -L FOLDER_OF_THE_LIBRARY && ./log_from_rust
//
// It declares by hand what it needs of the headers for C: structs that a caller fills as those of 0.2 have them, and of all else
// only names, since the library says how much memory an object takes.
#![no_std]
#![no_main]

use core::ffi::{c_char, c_int, c_void};
use core::mem::{offset_of, size_of_val};
use core::ptr::{null, null_mut};

type Status = c_int;
const MPQ_OK: Status = 0;
const MPQ_OUT_OF_MEMORY: Status = 4;

#[repr(C)]
struct Opaque {
    _private: [u8; 0],
}

#[repr(C)]
struct MpqColumn {
    name: *const c_char,
    kind: *const Opaque,
    encoding: *const Opaque,
    optional: *const Opaque,
    page_bytes: u32,
    offset: u16,
    valid_offset: u16,
    bytes: u16,
    precision: u8,
    scale: u8,
}

#[repr(C)]
struct MpqSetup {
    columns: *const MpqColumn,
    column_count: usize,
    options: *const Opaque,
    memory: *mut c_void,
    memory_bytes: usize,
}

#[link(name = "microparquet_c")]
extern "C" {
    static mpq_timestamp_us: Opaque;
    static mpq_float: Opaque;
    static mpq_delta: Opaque;
    fn mpq_version() -> *const c_char;
    fn mpq_writer_bytes() -> usize;
    fn mpq_writer_in(memory: *mut c_void, bytes: usize, writer: *mut *mut Opaque) -> Status;
    fn mpq_writer_open(writer: *mut Opaque, file: *mut Opaque, setup: *const MpqSetup) -> Status;
    fn mpq_writer_append(writer: *mut Opaque, row: *const c_void) -> Status;
    fn mpq_writer_close(writer: *mut Opaque) -> Status;
    fn mpq_posix_bytes() -> usize;
    fn mpq_posix_in(memory: *mut c_void, bytes: usize, port: *mut *mut Opaque) -> Status;
    fn mpq_posix_make(port: *mut Opaque) -> Status;
    fn mpq_posix_create(port: *mut Opaque, path: *const c_char, overwrites: bool, file: *mut *mut Opaque) -> Status;
    fn mpq_posix_close(port: *mut Opaque) -> Status;
}

#[link(name = "c")]
extern "C" {
    fn abort() -> !;
}

#[repr(C)]
struct Row {
    time: i64,
    temperature: f32,
}

// Turns a status into a result, so that `?` ends at the first failure.
fn check(status: Status) -> Result<(), Status> {
    if status == MPQ_OK { Ok(()) } else { Err(status) }
}

unsafe fn log() -> Result<(), Status> {
    let columns = [
        MpqColumn {
            name: b"time\0".as_ptr().cast(), kind: &raw const mpq_timestamp_us, encoding: &raw const mpq_delta, optional: null(),
            page_bytes: 0, offset: offset_of!(Row, time) as u16, valid_offset: 0, bytes: 0, precision: 0, scale: 0,
        },
        MpqColumn {
            name: b"temperature\0".as_ptr().cast(), kind: &raw const mpq_float, encoding: null(), optional: null(),
            page_bytes: 0, offset: offset_of!(Row, temperature) as u16, valid_offset: 0, bytes: 0, precision: 0, scale: 0,
        },
    ];
    let mut memory = [0u64; 4000];
    let mut of_writer = [0u64; 100];
    let mut of_port = [0u64; 100];
    let (mut writer, mut port, mut file) = (null_mut(), null_mut(), null_mut());
    if mpq_writer_in(of_writer.as_mut_ptr().cast(), mpq_writer_bytes() - 1, &mut writer) != MPQ_OUT_OF_MEMORY {
        return Err(-1); // one byte less than it needs is refused
    }
    check(mpq_writer_in(of_writer.as_mut_ptr().cast(), size_of_val(&of_writer), &mut writer))?;
    check(mpq_posix_in(of_port.as_mut_ptr().cast(), size_of_val(&of_port), &mut port))?;
    if mpq_posix_bytes() > size_of_val(&of_port) {
        return Err(-2);
    }
    let setup = MpqSetup {
        columns: columns.as_ptr(), column_count: columns.len(), options: null(),
        memory: memory.as_mut_ptr().cast(), memory_bytes: size_of_val(&memory),
    };
    check(mpq_posix_make(port))?;
    check(mpq_posix_create(port, b"log.parquet\0".as_ptr().cast(), true, &mut file))?;
    check(mpq_writer_open(writer, file, &setup))?;
    for i in 0..1000i64 {
        let row = Row { time: 1_700_000_000_000_000 + 10_000 * i, temperature: 20.0 + 0.01 * i as f32 };
        check(mpq_writer_append(writer, (&raw const row).cast()))?;
    }
    check(mpq_writer_close(writer))?;
    check(mpq_posix_close(port))
}

#[no_mangle]
pub extern "C" fn main(_count: c_int, _words: *const *const c_char) -> c_int {
    let version = unsafe { core::ffi::CStr::from_ptr(mpq_version()) }.to_bytes();
    if !version.starts_with(b"0.2.") {
        return 2; // the structs above are those of 0.2
    }
    match unsafe { log() } {
        Ok(()) => 0,
        Err(_) => 1,
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    unsafe { abort() }
}
