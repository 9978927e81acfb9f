#!/usr/bin/env bash
# Leaves a Docker engine running that has the sandbox image, made without a registry, bubblewrap for the level without
# Docker, and Caddy for the test of the proxy. Quiet unless a step fails.
# A step whose result is there already is skipped. Everything kept between runs lies in $cache.
set -euo pipefail
cd "$(dirname "$0")/.."

cache=/var/cache/interviewer-ci
log=$cache/engine.log
torch=$(sed -n 's/^ARG TORCH=//p' sandbox/docker/context/Dockerfile | head -n 1)
image=interviewer-sandbox:$(sha256sum sandbox/docker/context/Dockerfile | cut -c 1-12)
. /etc/os-release
base=interviewer-ci-base:$VERSION_CODENAME

fail() {
    echo "engine.sh: $*" >&2
    exit 1
}

quiet() { # WHAT COMMAND...: run a step, show its output only when it fails
    local what=$1
    shift
    echo "+ $what" >>"$log"
    local begin
    begin=$(wc -l <"$log")
    if ! "$@" >>"$log" 2>&1; then
        tail -n "+$begin" "$log" | tail -n 40 >&2
        fail "$what: failed; the whole log is $log"
    fi
}

install_packages() {
    local missing=()
    command -v dockerd >/dev/null || missing+=(docker.io)
    command -v debootstrap >/dev/null || missing+=(debootstrap)
    command -v iptables >/dev/null || missing+=(iptables)
    command -v make >/dev/null || missing+=(make)
    python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
    if [ ${#missing[@]} -gt 0 ]; then
        export DEBIAN_FRONTEND=noninteractive
        quiet "apt-get update" apt-get update -q
        quiet "install ${missing[*]}" apt-get install -q -y --no-install-recommends ca-certificates "${missing[@]}"
    fi
    # Newer Debian splits the command from the engine.
    command -v docker >/dev/null || quiet "install docker-cli" apt-get install -q -y --no-install-recommends docker-cli
}

install_optional() { # COMMAND:PACKAGE...: where one cannot be had, its tests are skipped and say so
    local missing=()
    for pair in "$@"; do
        command -v "${pair%%:*}" >/dev/null || missing+=("${pair#*:}")
    done
    if [ ${#missing[@]} -eq 0 ] || [ "$(id -u)" != 0 ]; then
        return
    fi
    mkdir -p "$cache"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q >>"$log" 2>&1 || true
    for name in "${missing[@]}"; do
        apt-get install -q -y --no-install-recommends "$name" >>"$log" 2>&1 ||
            echo "engine.sh: $name cannot be installed; the log is $log" >&2
    done
}

start_engine() {
    docker version >/dev/null 2>&1 && return
    # No container of ours has a network, so the engine needs neither bridge nor firewall rules.
    setsid dockerd --bridge=none --iptables=false >"$cache/dockerd.log" 2>&1 &
    local left=60
    until docker version >/dev/null 2>&1; do
        left=$((left - 1))
        if [ $left -eq 0 ] || ! kill -0 $! 2>/dev/null; then
            tail -n 20 "$cache/dockerd.log" >&2
            fail "no Docker engine runs on this machine, and the gate needs one; the log is $cache/dockerd.log"
        fi
        sleep 1
    done
}

make_base() {
    docker image inspect "$base" >/dev/null 2>&1 && return
    local root=$cache/base mirror components=main
    # Either file may be missing, and head leaves early: neither is an error.
    mirror=$(cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null |
        sed -nE 's/^(deb( \[[^]]*\])?|URIs:) (https?:[^ ]+).*/\3/p' | head -n 1) || true
    [ -n "$mirror" ] || fail "no http mirror in the apt sources; debootstrap needs one"
    [ "$ID" = ubuntu ] && components=main,universe
    rm -rf "$root"
    quiet "debootstrap $VERSION_CODENAME" debootstrap --variant=minbase --components="$components" \
        --include=python3,python3-venv,ca-certificates "$VERSION_CODENAME" "$root" "$mirror"
    rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
    quiet "import $base" import_base "$root"
    rm -rf "$root"
}

import_base() {
    tar --create --one-file-system --directory "$1" . | docker import - "$base"
}

make_tools() { # what builds the image: pip, and what sandbox.docker.image imports, in their own environment
    [ -x "$cache/tools/bin/python" ] && "$cache/tools/bin/python" -c 'import docker, platformdirs' 2>/dev/null && return
    quiet "make an environment" python3 -m venv --clear "$cache/tools"
    quiet "install docker-py" "$cache/tools/bin/pip" install -q --constraint constraints.txt docker platformdirs
}

fetch_wheels() { # FOLDER PYTHON: wheels for the base's Python, which need not be ours
    [ -e "$1/complete" ] && return
    local pip=("$cache/tools/bin/pip" download -q --dest "$1" --only-binary :all: --implementation cp
        --python-version "$2" --abi "cp${2/./}" --abi abi3 --abi none)
    local machine tag
    machine=$(uname -m)
    for tag in manylinux_2_28 manylinux_2_27 manylinux_2_17 manylinux2014; do
        pip+=(--platform "${tag}_$machine")
    done
    rm -rf "$1"
    mkdir -p "$1"
    # A CPU wheel from a place that pip is set up for, else from torch's CPU index; never the one with CUDA in it.
    if ! "${pip[@]}" "torch==$torch+cpu" numpy safetensors >>"$log" 2>&1; then
        quiet "download torch $torch" "${pip[@]}" --index-url https://download.pytorch.org/whl/cpu "torch==$torch"
        quiet "download numpy and safetensors" "${pip[@]}" numpy safetensors
    fi
    touch "$1/complete"
}

make_image() {
    docker image inspect "$image" >/dev/null 2>&1 && return
    local python
    python=$(docker run --rm --network none "$base" python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    make_tools
    fetch_wheels "$cache/wheels-$python-$torch" "$python"
    quiet "build $image" "$cache/tools/bin/python" -m sandbox.docker.image --base "$base" \
        --wheels "$cache/wheels-$python-$torch"
}

install_optional bwrap:bubblewrap caddy:caddy
if docker image inspect "$image" >/dev/null 2>&1; then
    exit 0
fi
[ "$(id -u)" = 0 ] || fail "must be root to install and start a Docker engine and to make the base image"
mkdir -p "$cache"
install_packages
start_engine
make_base
make_image
