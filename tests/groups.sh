# Sourced by tests/run and tests/figures, which run groups: executable files in the folder $groups, whose first lines say
# what they lack:
#   # apt: PACKAGE...          Debian packages; of A|B the first that the distribution has
#   # python: FILE...          requirements files beside this one, installed into a virtual environment
#   # sources: FOLDER...       whose script FOLDER/fetch downloads sources, into the build folder's FOLDER_sources
# prepare installs and downloads that, unless $INSTALL is no.
source "$(dirname "${BASH_SOURCE[0]}")/install.sh"

all_groups() {
    find "$groups" -maxdepth 1 -type f -executable -printf '%f\n' | sort
}

# header KEY GROUP...: what follows "# KEY:" in the first lines of the groups.
header() {
    local key=$1 group
    shift
    for group in "$@"; do
        sed -n "1,20s/^# $key: *//p" "$groups/$group"
    done
}

words_of_header() {
    header "$@" | tr ' ' '\n' | sed '/^$/d' | sort -u
}

# Chooses PYTHON, and gives it the requirements files named. MICROPARQUET_PYTHON names one that has them already.
make_python() {
    local venv=$MICROPARQUET_BUILD/venv file
    export PYTHON=${MICROPARQUET_PYTHON:-python3}
    if [[ -n ${MICROPARQUET_PYTHON:-} ]] || (($# == 0)); then
        return
    fi
    if [[ $INSTALL == yes ]]; then
        for file in "$@"; do
            install_requirements "$venv" "$tests/$file" || echo "pip failed; what needs $file will fail"
        done
    fi
    if [[ -x $venv/bin/python ]]; then
        export PYTHON=$venv/bin/python
    fi
}

# prepare PACKAGES GROUP...: installs what the groups lack, and these packages.
prepare() {
    local packages requirements sources folder
    read -ra packages <<<"$1"
    shift
    mapfile -t -O "${#packages[@]}" packages < <(words_of_header apt "$@")
    mapfile -t requirements < <(words_of_header python "$@")
    if ((${#requirements[@]} > 0)); then
        packages+=(python3 python3-venv)
    fi
    install_packages "$INSTALL" "${packages[@]}" || echo "apt failed; what needs those packages will fail"
    make_python "${requirements[@]}"
    mapfile -t sources < <(words_of_header sources "$@")
    if [[ $INSTALL == yes ]]; then
        for folder in "${sources[@]}"; do
            "$tests/$folder/fetch" "$MICROPARQUET_BUILD/${folder}_sources" || echo "what needs $tests/$folder/fetch will fail"
        done
    fi
}
