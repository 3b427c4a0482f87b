# Sourced by the groups: counts what passes.
passed=0
failed=0
counting_took=$(mktemp)
trap 'rm -f "$counting_took"' EXIT

# count NAME COMMAND...: runs a program whose last line has its counts, and adds them up. Says what it took of the processors.
count() {
    local name=$1 line TIMEFORMAT="-- $1: %0U s, and %0S s in the system"
    shift
    echo "-- $name"
    time line=$("$@" 2>&1 | tee /dev/stderr | tail -n 1) || true
    [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] || { echo "$name ended with: $line"; exit 1; }
    passed=$((passed + BASH_REMATCH[1]))
    failed=$((failed + BASH_REMATCH[2]))
}

# check NAME COMMAND...: one check, whose output is shown only when it fails. It stays in $output. One that takes some time of
# the processors says so.
check() {
    local name=$1 code=0 took TIMEFORMAT='%0U %0S'
    shift
    output=$({ time "$@" 2>&1; } 2>"$counting_took") || code=$?
    read -r took < <(awk '{ print $1 + $2 }' "$counting_took")
    if ((code == 0)); then
        passed=$((passed + 1))
        echo "ok: $name"
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
        tail -n 60 <<<"$output"
    fi
    ((took < 2)) || echo "-- $name: $took s of the processors"
}

# The last line of the group, and its exit code.
print_counts() {
    echo "$passed passed, $failed failed"
    ((failed == 0))
}
