# A double of FastPT's script, made for these tests. It is sourced with the mode as its argument,
# prints the lines that were seen on real machines, and sets variables as those modes do. It trips
# over `set -u` as DTK's env.sh does. DOUBLE_* variables choose what it plays.
case "$1" in
  -C)
    if [ "$DOUBLE_PLAY" = old ]; then
      echo "fastpt version 1.2.0"
      echo "fastpt: invalid option -- 'C'"
      return 1
    fi
    echo "current_dtk_version: ${DOUBLE_DTK:-25042}"
    if [ "$DOUBLE_PLAY" = mismatch ]; then
      echo "WARNING: The current dtk version 25044, is inconsistent with the require dtk version 25042"
    fi
    if [ "$DOUBLE_PLAY" = torch ]; then
      echo "ERROR: The current torch version does not match the required version."
    else
      echo "Success: The current torch version matches the required version."
    fi
    export CUDA_HOME="$DOUBLE_ROOT/dtk/cuda/cuda-12"
    export PATH="$CUDA_HOME/bin:$PATH"
    export CMAKE_PREFIX_PATH="$CUDA_HOME:$CMAKE_PREFIX_PATH"
    export USE_FASTPT_CUDA=1
    echo "USE FASTPT CUDA is set, and CUDA environment is loaded"
    ;;
  -E)
    echo "current_dtk_version: 25044"
    echo "Torch version is correct: 2.5"
    export LD_LIBRARY_PATH="$DOUBLE_ROOT/dtk/cuda/cuda-12/lib64/${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    echo "Default LD_LIBRARY_PATH: $LD_LIBRARY_PATH"
    ;;
  -T)
    export FASTPT_TRANSCODE=1
    export DOUBLE_LINES="first
second"
    export SECRET_TOKEN="made-of-$DOUBLE_SECRET"
    unset DOUBLE_GONE
    ;;
esac
if [ "$DOUBLE_PLAY" = exits ]; then
  exit 7
fi
if [ "$DOUBLE_PLAY" = strict ]; then
  set -eu
fi
