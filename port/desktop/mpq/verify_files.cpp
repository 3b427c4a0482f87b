#include <algorithm>

#include "commands.h"
#include "microparquet/text/grouped_digits.h"
#include "wrong_request.h"

namespace mpq_tool {

namespace {

using microparquet::text::grouped_digits;

class Verdicts {
 public:
  Verdicts(const VerifyOptions& options, Output& output) : options_(options), output_(output) {}

  void add(const std::string& path) {
    try {
      const InputFile input(path);
      Output report(Output::To::kNowhere);
      const Verdict verdict = verify(input, options_, report);
      if (verdict.code == 0) {
        output_.line(input.name() + ": " + verdict.sentence);
      } else {
        output_.add(report);
      }
      (verdict.code == 0 ? whole_ : wrong_) += 1;
      code_ = std::max(code_, verdict.code);
    } catch (const Failure& failure) {
      output_.flush();
      tell(failure.what());
      ++unread_;
      code_ = 2;
    }
    output_.flush();  // a file may take long
  }

  int print_sum() {
    std::string sum = grouped_digits(whole_ + wrong_ + unread_) + " files: " + grouped_digits(whole_) +
                      (whole_ == 1 ? " holds" : " hold");
    sum += wrong_ == 0 ? "" : ", " + grouped_digits(wrong_) + (wrong_ == 1 ? " does not" : " do not");
    sum += unread_ == 0 ? "" : ", " + grouped_digits(unread_) + " cannot be read";
    output_.line(sum);
    return code_;
  }

 private:
  const VerifyOptions& options_;
  Output& output_;
  std::uint64_t whole_ = 0;
  std::uint64_t wrong_ = 0;
  std::uint64_t unread_ = 0;
  int code_ = 0;
};

}  // namespace

int verify_files(const std::vector<std::string>& paths, const VerifyOptions& options, Output& output) {
  if (paths.size() == 1) {
    return verify(InputFile(paths.front()), options, output).code;
  }
  Verdicts verdicts(options, output);
  for (const std::string& path : paths) {
    verdicts.add(path);
  }
  return verdicts.print_sum();
}

}  // namespace mpq_tool
