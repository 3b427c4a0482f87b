// The port over each class of file: the compiler makes all of it.
#include <FS.h>
#include <Rp2040SD.h>
#include <SD.h>
#include <SdFat.h>
#include <TeensySD.h>
#include <microparquet.h>

template class microparquet::ArduinoFile<CLASS>;
template microparquet::Status microparquet::ArduinoFile<CLASS>::attach(CLASS&, VOLUME&, std::uint64_t);
