"""Writes trained weights as recalld reads them: 7-bit integers with a scale per row, and the names of a BERT model.

Usage: python quantize.py WEIGHTS.safetensors MODEL.safetensors
A matrix NAME is I8 in [-63, 63] and NAME.scale is F32; value = integer x scale. Vectors and small matrices stay F32.
Seven bits, because sums of two products of 8-bit numbers overflow the 16-bit steps of some processors.
"""

import argparse
import os

import torch
from safetensors.torch import load_file, save_file
from train import LAYER_PARTS, LAYERS

MAX_INTEGER = 63


def rename(weights):
    """Returns the weights under the names of a BERT model, with query, key and value apart."""
    named = {
        "embeddings.token_type_embeddings.weight": weights["segment"],
        "embeddings.LayerNorm.weight": weights["norm.weight"],
        "embeddings.LayerNorm.bias": weights["norm.bias"],
        "classifier.weight": weights["head.weight"],
        "classifier.bias": weights["head.bias"],
    }
    for i in range(LAYERS):
        source, target = f"layers.{i}.", f"encoder.layer.{i}."
        for kind in ("weight", "bias"):
            parts = weights[f"{source}qkv.{kind}"].chunk(3)
            for name, part in zip(("query", "key", "value"), parts, strict=True):
                named[f"{target}attention.self.{name}.{kind}"] = part
            for part, name in LAYER_PARTS.items():
                named[target + name + kind] = weights[f"{source}{part}.{kind}"]
    return named


def quantize(named):
    """Replaces each matrix of over two rows by integers and scales."""
    result = {}
    for name, tensor in named.items():
        tensor = tensor.float()
        if tensor.dim() == 2 and tensor.shape[0] > 2:
            scale = tensor.abs().amax(1) / MAX_INTEGER
            scale[scale == 0] = 1
            result[name] = torch.round(tensor / scale[:, None]).to(torch.int8)
            result[name + ".scale"] = scale
        else:
            result[name] = tensor.contiguous()
    return {name: tensor.contiguous() for name, tensor in result.items()}


def main():
    """Reads the arguments, quantizes and prints the size of the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights")
    parser.add_argument("model")
    arguments = parser.parse_args()
    save_file(quantize(rename(load_file(arguments.weights))), arguments.model)
    print(f"{os.path.getsize(arguments.model) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
