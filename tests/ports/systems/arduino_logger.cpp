// A log on each volume, with a value of each type: the compiler makes all of it.
#include <FS.h>
#include <Rp2040SD.h>
#include <SD.h>
#include <SdFat.h>
#include <TeensySD.h>
#include <microparquet.h>

template class microparquet::Logger<VOLUME>;

struct Text {
  const char* c_str() const { return "as a String has it"; }
};

void log_all(VOLUME& volume, microparquet::Logger<VOLUME>& logger) {
  logger.begin(volume, "LOG");
  logger.set_time(1'700'000'000);
  logger.add("a", true).add("b", 'c').add("c", 1).add("d", 2U).add("e", 3LL).add("f", 4ULL);
  logger.add("g", 1.5F).add("h", 2.5).add("i", "text").add("j", Text()).add("k", millis());
  logger.end_row();
  logger.end();
}
