"""Archives that depend on nothing but what is in them: names in order, one time for all, no owners."""
import gzip
import io
import pathlib
import tarfile
import time
import zipfile

EXECUTABLE, PLAIN = 0o755, 0o644


def _files(folder):
    for path in sorted(pathlib.Path(folder).rglob('*'), key=lambda path: path.relative_to(folder).as_posix()):
        if path.is_symlink() or not (path.is_dir() or path.is_file()):
            raise ValueError(f'{path} is neither a file nor a folder')
        if path.is_file():
            yield path, path.relative_to(folder), EXECUTABLE if path.stat().st_mode & 0o100 else PLAIN


def write_tar(out, folder, top, seconds):
    """Writes the files of a folder, below the folder `top` of the archive, or in none; `seconds` since 1970 is their time."""
    with tarfile.open(fileobj=out, mode='w', format=tarfile.USTAR_FORMAT) as archive:
        for path, name, mode in _files(folder):
            entry = tarfile.TarInfo((pathlib.PurePosixPath(top) / name.as_posix()).as_posix())
            entry.size, entry.mtime, entry.mode = path.stat().st_size, seconds, mode
            with path.open('rb') as file:
                archive.addfile(entry, file)


def write_tar_gz(out, folder, top, seconds):
    """The same, compressed."""
    plain = io.BytesIO()
    write_tar(plain, folder, top, seconds)
    with out.open('wb') as file, gzip.GzipFile(filename='', mode='wb', fileobj=file, compresslevel=9, mtime=seconds) as packed:
        packed.write(plain.getvalue())


def write_zip(out, folder, top, seconds):
    """The same; a zip's times are even seconds."""
    stamp = time.gmtime(seconds)[:6]
    with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, name, mode in _files(folder):
            entry = zipfile.ZipInfo((pathlib.PurePosixPath(top) / name.as_posix()).as_posix(), stamp)
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, (0o100000 | mode) << 16
            archive.writestr(entry, path.read_bytes())
