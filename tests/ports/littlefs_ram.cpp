// Arrays as large as the writers of littlefs_writer.h, to have names and sizes in the object file.
#include "littlefs_writer.h"

template <std::uint32_t kKilobytes>
using Bytes = char[sizeof(microparquet::bench::LittleFsWriter<kKilobytes>)];

Bytes<4> imu8_4k;
Bytes<8> imu8_8k;
Bytes<16> imu8_16k;
Bytes<32> imu8_32k;
Bytes<64> imu8_64k;
Bytes<128> imu8_128k;
