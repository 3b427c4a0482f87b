// The port over each class of file: the compiler makes all of it.
#include <FS.h>
#include <SD.h>
#include <SdFat.h>
#include <microparquet.h>

template class microparquet::ArduinoFile<CLASS>;
