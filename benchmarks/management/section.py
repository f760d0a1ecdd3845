# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
""""Against the paper" of docs/management.md and its plots, of what was measured and what was
published."""

import drawings
import kernels
import statements
from found import Found, needs
from judging import REFUTED, percent
from kernels import PUBLISHED
from performance import mean, ratio
from results import Missing
from tables import cell, table

TITLE = "## Against the paper"
HEAD = """
Every number that Liang and Li publish of their framework, beside ours. `./dev bench management` records the eight kernels on the emulated device, has `bm-sim manage` run them side by side on `gtx480`, and writes this
part and its plots from [the results](../benchmarks/results/{file}) and [what was published](../benchmarks/management/published.json); here at commit {commit}, on two cores. What is run is in `benchmarks/management/kernels.py`. Nothing is fitted to the paper.

- Speed-up is over the baseline, `leftover`: its cycles until all kernels have ended, over those of the policy. Means are geometric.
- A number is **confirmed** where ours is within a tenth of it; of a speed-up, within a tenth of what it is above 1. Where it is not, but one of our experiments reaches it, it hangs on something that the paper does not say,
  and is **not comparable**; where none does, it is **refuted**. So are statements. That is said of these kernels, at these sizes, on this model: [they are not the paper's](#table-iii-the-kernels). The bars of the paper's figures are not printed as numbers; what its text says of them is compared.
- The first kernel of a pair, in the order of the paper's Table IV, is launched first. Figure 17 is not here: what the paper says of it is not in the text that was read.
- Programs are recorded with their memory at the same addresses each time, since caches and channels go by these: of {{BKP, KMS}} five recordings at random addresses are 2.7% apart under `fine:5,1` and 2.4% under `leftover` (commit f1efc65).
- A sector that is on its way when it is asked for is no miss of L1.
"""
SHOWN = ("sequential", "coarse:even", "coarse:smc", *kernels.MODULATED, "best", "best:bypass")
PAIR_HEAD = ["pair", "one after the other", "Smart-Even", "SMC", *kernels.MODULATED, "best", "best:bypass",
             "at most", "{Tb_A, Tb_B}", "the paper's", "of static:shared"]


def claims_table(found, claims):
    rows = []
    for claim in claims:
        of = claim.judged(found)
        where = PUBLISHED["numbers"][claim.number]["where"] if claim.number else claim.section
        rows.append([claim.says, where, of.ours, of.verdict, of.cause or unknown(of)])
    return table(["the paper says", "where", "ours", "judged", "cause"], rows)


def unknown(of):
    """What stands for a cause that nothing was run to find."""
    return "not looked into" if of.verdict == REFUTED else ""


def glance(found):
    return "\n### At a glance\n\n" + claims_table(found, statements.CLAIMS)


def goals(found):
    rows = []
    for claim in statements.GOALS:
        of = claim.judged(found)
        rows.append([claim.says, of.ours, of.verdict, of.cause])
    return "\nGoals of this project, over the 28 pairs:\n\n" + table(
        ["goal", "ours", "judged", ""], rows)


def kernel_row(found, kernel):
    name, paper, of = kernel.short, PUBLISHED["kernels"][kernel.short], found.profile(kernel.short)
    block, line = needs(found, name), found.kernel(name)
    sizes = ", ".join(f"{key} {value}" for key, value in line["sizes"].items())
    best = next(each for each in of["points"] if each["blocks"] == of["opt"])
    return [name, paper["name"], f"{kernel.program}: {line['kernel']}", sizes, kernel.differs,
            line["blocks"], block["threads"], line["registers"], block["shared"],
            of["points"][-1]["blocks"], paper["most"], of["opt"], paper["opt"], of["type"],
            paper["type"], best["cycles"]]


def kernels_table(found):
    rows = [kernel_row(found, each) for each in kernels.KERNELS if each.short in found.names()]
    return """
### Table III: the kernels

The paper gives no sizes. Here a kernel is one launch, the first of its program, at a size at which it takes 65,000 to 120,000 cycles alone, since nothing is gained beside a kernel that has
long ended. Every block is traced. BKP has the size of its suite; HST is four times BLK, the one relation of times that the paper states. *Most* and *opt* are blocks an SM.

""" + table(["", "the paper's kernel", "ours", "size", "ours is", "blocks", "threads", "registers",
             "shared bytes", "most", "the paper's", "opt", "the paper's", "type", "the paper's",
             "cycles alone"], rows)


def point(each):
    return (f"{each['throughput']:.2f}, {percent(each['l1_miss_rate'])}, "
            f"{percent(each['stall_memory'])}, {percent(each['stall_structural'])}")


def profiles(found):
    names = found.names()
    most = max(len(found.profile(name)["points"]) for name in names)
    rows = [[name, *(point(each) for each in found.profile(name)["points"]),
             *[""] * (most - len(found.profile(name)["points"]))] for name in names]
    return """
### Figures 5 to 7: more blocks

Instructions a cycle, miss rate of L1, memory and structural stalls of all cycles of schedulers, by the blocks that an SM holds at once. In the plots
stalls are over the cycles with one block.

""" + table(["", *map(str, range(1, most + 1))], rows) + "".join(
        f"\n![{name} by blocks](images/management-{figure}.svg)\n"
        for name, figure in drawings.PROFILED.items() if name in names)


def setting(found, names, policy):
    """Blocks of each kernel, where a policy has chosen them once."""
    try:
        blocks = found.line(names, policy)["blocks"]
    except (Missing, KeyError):
        return "-"
    return "{" + ", ".join(map(str, blocks)) + "}" if blocks else "-"


def pair_row(found, pair):
    paper = PUBLISHED["pairs"][" ".join(pair)]
    return [" ".join(pair), *(cell(found.gain, pair, policy) for policy in SHOWN),
            cell(found.bound, pair), setting(found, pair, "static"),
            "{" + ", ".join(map(str, paper)) + "}", setting(found, pair, "static:shared")]


def means_row(found):
    pairs = found.pairs()
    return ["mean", *(cell(found.mean_gain, policy, "paper", "leftover", pairs)
                      for policy in SHOWN),
            ratio(mean([found.bound(pair) for pair in pairs])), "", "", ""]


def pairs_part(found):
    text = """
### Figures 11 to 16: pairs

Speed-up over the baseline. *At most* is what is left where the longer kernel takes no longer than alone with its best number of blocks and the other one nothing; `{Tb_A, Tb_B}` as static modulation sets them, a dash
where it leaves a pair to the baseline; `static:shared` and `bypass:guarded` are [ours](#two-policies-of-ours).

""" + table(PAIR_HEAD, [*(pair_row(found, pair) for pair in found.pairs()), means_row(found)])
    shown = ["figure11", "figure12", "figure14", "figure16"]
    if drawings.has_energy(found):
        shown.insert(3, "figure15")
    if drawings.modulation(found):
        shown.insert(0, "figure2")
    names = {"figure2": "Figure 2: settings by hand", "figure12": "Figure 12: stalls",
             "figure14": "Figure 14: L1 miss rate", "figure15": "Figure 15: energy efficiency"}
    return text + "".join(f"\n![{names.get(each, 'Figure ' + each[6:] + ': speed-up')}]"
                          f"(images/management-{each}.svg)\n" for each in shown)


def sets_part(found):
    if not found.sets():
        return ""
    policies = ("sequential", "coarse:even", *kernels.MODULATED)
    rows = [[" ".join(names), *(cell(found.gain, names, policy) for policy in policies)]
            for names in found.sets()]
    for count in (3, 4, 5):
        sets = found.sets(count)
        rows.append([f"mean of {count}", *(cell(found.mean_gain, policy, "paper", "leftover", sets)
                                           for policy in policies)])
    return """
### Figure 18: three to five kernels

The paper has four sets of four and two of five, and does not say which; ours are by rule (`kernels.py`).

""" + table(["set", *policies], rows) + "\n![Figure 18: speed-up](images/management-figure18.svg)\n"


def experiment_row(found, experiment):
    pairs = found.pairs_of(experiment.name)
    cells = []
    for policy in kernels.SEARCHED[1:]:
        now = cell(found.mean_gain, policy, "paper", "leftover", pairs)
        then = cell(found.mean_gain, policy, experiment.name, "leftover", pairs)
        cells.append("-" if then == "-" else f"{then} ({now})")
    return [experiment.about, len(pairs), *cells]


def experiments_part(found):
    if not found.experiments():
        return ""
    return """
### Experiments

The same pairs, those that change, where one thing is other than in the paper's machine; in brackets the same mean without.

""" + table(["", "pairs", *kernels.SEARCHED[1:]],
            [experiment_row(found, each) for each in found.experiments()])


def failures(found):
    lines = [f"- {' '.join(each['set'])} {each['policy']}, {each['experiment']}: {each['failed']}"
             for each in found.failures()]
    return "\nNot run:\n\n" + "\n".join(lines) + "\n" if lines else ""


def speed(found):
    seconds = sum(each.get("seconds", 0) for each in found.lines.values())
    return ("\n### Speed\n\n"
            f"{len(found.lines)} simulations, each with the profiles and searches that its policy "
            f"takes, took {seconds / 60:.0f} minutes of `bm-sim`, {found.head['jobs']} at a time on "
            "two cores that were shared with other work.\n")


def section(lines, file):
    """The text of the part and its plots, by their paths beside the page."""
    found = Found(lines)
    text = HEAD.format(file=file, commit=found.head["commit"])
    for part in (glance, goals, kernels_table, profiles, pairs_part, sets_part, experiments_part,
                 failures, speed):
        text += part(found)
    return f"{TITLE}\n{text}", drawings.images(found)


def put(page, text):
    """A page with the part anew, at its place, or at the end where there is none."""
    begin = page.find(TITLE + "\n")
    if begin < 0:
        return page.rstrip("\n") + "\n\n" * bool(page) + text
    end = page.find("\n## ", begin)
    return page[:begin] + text + (page[end:] if end >= 0 else "")

