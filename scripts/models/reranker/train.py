"""Trains the layers of a cross-encoder that says how well a passage answers a question.

Usage: python train.py PAIRS.json BASE.safetensors TOKENIZER.json WEIGHTS.safetensors
BASE is all-MiniLM-L6-v2 with the names of a BERT model. Word and position vectors are not trained and not written.
The draw of the training texts depends on --workers: each worker process has its own random generator.
"""

import argparse
import json
import random
import time

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

CLS, SEP = 101, 102
GROUP_SIZE = 8
MAX_QUESTION, MAX_SPEAKER, MAX_TEXT = 32, 8, 100
MAX_PREVIOUS_SPEAKER, MAX_PREVIOUS = 6, 28
WIDTH, INNER_WIDTH, HEADS, LAYERS = 384, 1536, 12, 6
DROPOUT = 0.1

# Part of a layer here, and its name in a BERT model.
LAYER_PARTS = {
    "output": "attention.output.dense.",
    "attention_norm": "attention.output.LayerNorm.",
    "widen": "intermediate.dense.",
    "narrow": "output.dense.",
    "norm": "output.LayerNorm.",
}


class Layer(nn.Module):
    """One transformer layer with dropout."""

    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.output = nn.Linear(WIDTH, WIDTH)
        self.attention_norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.widen = nn.Linear(WIDTH, INNER_WIDTH)
        self.narrow = nn.Linear(INNER_WIDTH, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, x, mask):
        rows, length, width = x.shape
        q, k, v = self.qkv(x).view(rows, length, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4)
        dropout = DROPOUT if self.training else 0
        attended = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=dropout)
        attended = attended.transpose(1, 2).reshape(rows, length, width)
        x = self.attention_norm(x + F.dropout(self.output(attended), DROPOUT, self.training))
        return self.norm(x + F.dropout(self.narrow(F.gelu(self.widen(x))), DROPOUT, self.training))


class CrossEncoder(nn.Module):
    """Returns one logit per row of word pieces."""

    def __init__(self, base):
        super().__init__()
        self.register_buffer("word", base["embeddings.word_embeddings.weight"].clone(), persistent=False)
        self.register_buffer("position", base["embeddings.position_embeddings.weight"].clone(), persistent=False)
        self.segment = nn.Parameter(base["embeddings.token_type_embeddings.weight"].clone())
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.norm.weight.data = base["embeddings.LayerNorm.weight"].clone()
        self.norm.bias.data = base["embeddings.LayerNorm.bias"].clone()
        self.layers = nn.ModuleList(load_layer(base, f"encoder.layer.{i}.") for i in range(LAYERS))
        self.head = nn.Linear(WIDTH, 1)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)

    def forward(self, ids, segments, keep):
        x = self.word[ids] + self.position[: ids.shape[1]] + self.segment[segments]
        x = F.dropout(self.norm(x), DROPOUT, self.training)
        mask = keep[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask)
        return self.head(x[:, 0]).squeeze(-1)


def load_layer(base, prefix):
    """Returns the layer of the base whose names begin with `prefix`."""
    layer = Layer()
    for kind in ("weight", "bias"):
        parts = [base[f"{prefix}attention.self.{name}.{kind}"] for name in ("query", "key", "value")]
        getattr(layer.qkv, kind).data = torch.cat(parts)
        for part, name in LAYER_PARTS.items():
            getattr(getattr(layer, part), kind).data = base[prefix + name + kind].clone()
    return layer


def load_base(path):
    """Reads the base; rows of matrices are rounded to 8 bits, as recalld installs them."""
    base = {}
    for name, tensor in load_file(path).items():
        tensor = tensor.float() if tensor.is_floating_point() else tensor
        rounded = name == "embeddings.word_embeddings.weight" or (name.startswith("encoder.") and tensor.dim() == 2)
        if rounded:
            scale = tensor.abs().amax(1, keepdim=True) / 127
            scale[scale == 0] = 1
            tensor = torch.round(tensor / scale) * scale
        base[name] = tensor
    return base


class PairEncoder:
    """Turns a question and a passage into two segments of word pieces."""

    def __init__(self, tokenizer, texts):
        self.tokenizer = tokenizer
        self.short = {}
        self.texts = []
        for start in range(0, len(texts), 20000):
            encoded = tokenizer.encode_batch(texts[start : start + 20000], add_special_tokens=False)
            self.texts += [np.array(entry.ids, dtype=np.int32) for entry in encoded]

    def encode(self, question, passage, with_previous):
        """Returns `[CLS] question [SEP]` and `previous turn [SEP] passage [SEP]`."""
        speaker, text, previous_speaker, previous = passage
        second = []
        if with_previous and previous >= 0:
            if previous_speaker:
                second += list(self._ids(previous_speaker + ": ")[:MAX_PREVIOUS_SPEAKER])
            second += [*self.texts[previous][-MAX_PREVIOUS:], SEP]
        if speaker:
            second += list(self._ids(speaker + ":")[:MAX_SPEAKER])
        second += list(self.texts[text][:MAX_TEXT])
        return [CLS, *self._ids(question)[:MAX_QUESTION], SEP], [*second, SEP]

    def _ids(self, text):
        if text not in self.short:
            ids = self.tokenizer.encode(text, add_special_tokens=False).ids
            self.short[text] = np.array(ids, dtype=np.int32)
        return self.short[text]


class Batches(IterableDataset):
    """Yields batches of groups: ids, segments, kept positions and which rows of a group are filled.

    The first row of a group is the right passage. Half of the groups show the turn before.
    """

    def __init__(self, encoder, groups, steps, batch):
        self.encoder, self.groups, self.steps, self.batch = encoder, groups, steps, batch

    def __iter__(self):
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        random.seed(1000 + worker + len(self.groups))
        order = []
        for _ in range(self.steps // workers + (1 if worker < self.steps % workers else 0)):
            while len(order) < self.batch:
                more = list(range(len(self.groups)))
                random.shuffle(more)
                order += more
            taken, order = order[: self.batch], order[self.batch :]
            yield tensors([row for i in taken for row in self._rows(self.groups[i])])

    def _rows(self, group):
        question, right, wrong = group
        passages = [random.choice(right), *random.sample(wrong, min(GROUP_SIZE - 1, len(wrong)))]
        with_previous = random.random() < 0.5
        rows = [self.encoder.encode(question, passage, with_previous) for passage in passages]
        return rows + [None] * (GROUP_SIZE - len(rows))


def tensors(rows):
    """Pads rows to the same length, a multiple of 8; a missing row becomes an empty pair."""
    filled = np.array([row is not None for row in rows]).reshape(-1, GROUP_SIZE)
    rows = [row or ([CLS], [SEP]) for row in rows]
    length = (max(len(a) + len(b) for a, b in rows) + 7) // 8 * 8
    ids = np.zeros((len(rows), length), dtype=np.int32)
    segments = np.zeros((len(rows), length), dtype=np.int8)
    keep = np.zeros((len(rows), length), dtype=bool)
    for i, (first, second) in enumerate(rows):
        end = len(first) + len(second)
        ids[i, : len(first)] = first
        ids[i, len(first) : end] = second
        segments[i, len(first) : end] = 1
        keep[i, :end] = True
    return tuple(torch.from_numpy(array) for array in (ids, segments, keep, filled))


def make_optimizer(model, steps, rate):
    """Returns AdamW and its schedule: 6 % of the steps warm up, then the rate falls linearly to 2 %."""
    matrices = [p for p in model.parameters() if p.dim() > 1]
    vectors = [p for p in model.parameters() if p.dim() < 2]
    optimizer = torch.optim.AdamW(
        [{"params": matrices, "weight_decay": 0.01}, {"params": vectors, "weight_decay": 0}],
        lr=rate,
        betas=(0.9, 0.98),
        fused=matrices[0].is_cuda,
    )
    warm = steps * 0.06 + 1
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / warm) * max(0.02, 1 - step / steps)
    )
    return optimizer, schedule


def group_loss(logits, filled):
    """Cross-entropy over each group plus .3 times binary cross-entropy of each row.

    The second part makes the logit comparable between questions: above zero means that the passage answers.
    """
    target = torch.zeros(len(logits), dtype=torch.long, device=logits.device)
    right = torch.zeros_like(logits)
    right[:, 0] = 1
    each = F.binary_cross_entropy_with_logits(logits, right, reduction="none")
    return F.cross_entropy(logits, target) + 0.3 * (each * filled).sum() / filled.sum()


def train(model, batches, steps, rate, workers, device):
    """Trains the model in place and prints the loss every 200 steps."""
    on_gpu = device == "cuda"
    model.train()
    optimizer, schedule = make_optimizer(model, steps, rate)
    loader = DataLoader(
        batches, batch_size=None, num_workers=workers, prefetch_factor=6 if workers else None, pin_memory=on_gpu
    )
    started, total = time.time(), 0.0
    for step, batch in enumerate(loader, 1):
        ids, segments, keep, filled = (tensor.to(device, non_blocking=True) for tensor in batch)
        with torch.autocast(device, torch.bfloat16, enabled=on_gpu):
            logits = model(ids.long(), segments.long(), keep)
        loss = group_loss(logits.float().view(-1, GROUP_SIZE).masked_fill(~filled, -1e4), filled)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        total += loss.detach()
        if step % 200 == 0 or step == steps:
            print(f"{time.time() - started:.0f} s, step {step}, loss {total / ((step - 1) % 200 + 1):.3f}", flush=True)
            total = 0.0


def main():
    """Reads the arguments, trains and writes the weights in half precision."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("pairs", "base", "tokenizer", "weights"):
        parser.add_argument(name)
    parser.add_argument("--steps", type=int, default=2500)
    parser.add_argument("--batch", type=int, default=64, help="groups per step")
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--workers", type=int, default=14)
    arguments = parser.parse_args()
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = True
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokenizer = Tokenizer.from_file(arguments.tokenizer)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    with open(arguments.pairs, encoding="utf8") as file:
        pairs = json.load(file)
    groups = [group for source in pairs["groups"].values() for group in source]
    batches = Batches(PairEncoder(tokenizer, pairs["texts"]), groups, arguments.steps, arguments.batch)
    model = CrossEncoder(load_base(arguments.base)).to(device)
    train(model, batches, arguments.steps, arguments.rate, arguments.workers, device)
    save_file({name: t.detach().half().cpu().contiguous() for name, t in model.state_dict().items()}, arguments.weights)


if __name__ == "__main__":
    main()
