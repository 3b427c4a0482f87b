"""mpq follow: the rows of a file while it is being written."""
import pathlib
import subprocess
import time

from damage import HEADER, line, make
from harness import SECONDS, check, check_equal, check_ok, check_refused, command, interrupt, on_terminal, run, wait_until


def follow(*arguments):
    return subprocess.Popen(command("mpq", "follow", "log.parquet", *arguments), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def start_log():
    return subprocess.Popen(command("csv_log", "--encoding", "plain", "-", "log.parquet", "--type", "few=int64", "--checkpoint-rows", "100"),
                            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)


def put(log, begin, end, header=""):
    log.stdin.write((header + "".join(map(line, range(begin, end)))).encode())
    log.stdin.flush()


def end(log):
    log.stdin.close()
    check_equal(log.wait(timeout=SECONDS), 0, "csv_log")


def wait_for_file():
    path = pathlib.Path("log.parquet")
    wait_until(lambda: path.exists() and path.stat().st_size > 1000, "log.parquet")


def wait_for_lines(follower, count):
    """The first lines it prints: it has looked at the file."""
    return [follower.stdout.readline().rstrip("\n") for _ in range(count)]


def whole_text():
    return check_ok(run("mpq", "cat", "log.parquet")).stdout


def test_rows_come_while_they_are_written():
    log = start_log()
    put(log, 0, 3000, HEADER)
    wait_for_file()
    follower = follow("-n", "1000000", "--rows", "6000")
    for i in range(3000, 6000, 500):
        put(log, i, i + 500)
        time.sleep(0.1)
    end(log)
    out, error = follower.communicate(timeout=SECONDS)
    check_equal((follower.returncode, error), (0, ""))
    check_equal(len(out.splitlines()), 6001, "lines")
    check_equal(out, whole_text(), "what was printed")


def test_rows_are_printed_before_the_file_is_closed():
    log = start_log()
    put(log, 0, 2000, HEADER)
    wait_for_file()
    follower = follow("-n", "1000000", "--rows", "1500", "--json")
    out, _ = follower.communicate(timeout=SECONDS)
    check_equal(follower.returncode, 0, "exit code")
    check_equal(len(out.splitlines()), 1500, "rows")
    check(log.poll() is None, "csv_log has ended")
    end(log)
    check_equal(out.splitlines(), check_ok(run("mpq", "cat", "--json", "log.parquet")).stdout.splitlines()[:1500])


def test_an_interrupt_ends_it():
    make("log.parquet", 300)
    follower = follow()
    lines = wait_for_lines(follower, 11)
    time.sleep(0.7)
    check(follower.poll() is None, "it has ended")
    result = interrupt(follower)
    check_equal((result.returncode, result.stderr, result.stdout), (0, "", ""))
    check_equal(lines[1:], whole_text().splitlines()[-10:], "the last rows")


def test_how_many_rows_it_begins_with():
    make("log.parquet", 300)
    for count in (0, 1, 299, 300, 1000):
        out, _ = follow("-n", str(count), "--until-idle", "0.2").communicate(timeout=SECONDS)
        check_equal(len(out.splitlines()), 1 + min(count, 300), count)


def test_columns():
    make("log.parquet", 50)
    out, _ = follow("--columns", "word,n", "--until-idle", "0.1").communicate(timeout=SECONDS)
    check_equal(out.splitlines()[0], "word,n")
    check_equal(out.splitlines()[-1], "w49,49")
    check_refused(run("mpq", "follow", "log.parquet", "--columns", "none"), "log.parquet", "no column none")


def test_a_footer_half_written():
    first = make("log.parquet", 1000, 0, "--rows-per-group", 250)
    more = make("more.parquet", 2000, 0, "--rows-per-group", 250)
    path = pathlib.Path("log.parquet")
    path.write_bytes(first)
    follower = follow("-n", "1000000", "--rows", "2000")
    lines = wait_for_lines(follower, 1001)
    for size in (len(more) - 500, len(more) - 4, len(more)):
        path.write_bytes(more[:size])
        time.sleep(0.3)
    out, error = follower.communicate(timeout=SECONDS)
    check_equal((follower.returncode, error), (0, ""))
    check_equal(lines + out.splitlines(), whole_text().splitlines(), "what was printed")


def test_a_file_that_stays_broken():
    data = make("log.parquet", 1000)
    pathlib.Path("log.parquet").write_bytes(data[:-20])
    check_refused(run("mpq", "follow", "log.parquet", "--until-idle", "0.3"), "log.parquet", "cut short")
    pathlib.Path("log.parquet").write_text("text" * 100)
    check_refused(run("mpq", "follow", "log.parquet"), "not a Parquet file")
    check_refused(run("mpq", "follow", "none.parquet"), "none.parquet", "no such file")


def test_a_file_begun_anew():
    make("log.parquet", 1000)
    follower = follow()
    wait_for_lines(follower, 11)
    pathlib.Path("log.parquet").write_bytes(make("other.parquet", 10))
    _, error = follower.communicate(timeout=SECONDS)
    check(follower.returncode == 1 and "started again" in error, error)


def test_a_terminal_keeps_the_head():
    check_ok(run("csv_log", "-", "log.parquet", "--type", "few=int64", input=HEADER + "".join(map(line, range(100)))))
    text = on_terminal(80, "follow", "log.parquet", "-n", "50", "--rows", "50", height=12)
    lines = text.splitlines()
    heads = [i for i, each in enumerate(lines) if each == lines[0]]
    check_equal(len(lines) - len(heads) - sum("more column" in each for each in lines), 50, text)
    check(all(after - before <= 12 for before, after in zip(heads, heads[1:])), heads)
    check(len(lines) - heads[-1] <= 12 and len(heads) >= 5, heads)
    first = lines[0].split()[0]
    check(first == HEADER.split(",")[0].strip() and all(len(each) <= 80 for each in lines), lines)
    check("," in on_terminal(80, "follow", "log.parquet", "--csv", "-n", "5", "--rows", "5").splitlines()[0], "CSV where it is asked for")
