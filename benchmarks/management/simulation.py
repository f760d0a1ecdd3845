# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The simulations of docs/management.md: which there are, how bm-sim is told of one, and
the line, a dict, that is kept of what it says. This file alone knows the keys of its JSON."""

import dataclasses
import itertools
import json
import time

import kernels
import measure
import recording

COUNTS = ("instructions", "l1_miss_rate", "l1_reads", "stall_structural", "stall_memory", "sp",
          "ldst")
CHOSEN = ("sms", "tried", "energy_uj")


@dataclasses.dataclass(frozen=True)
class Job:
    """One run of bm-sim, which gives a line for each policy; without any it is the profile of
    the only kernel."""
    names: tuple
    policies: tuple
    experiment: kernels.Experiment = kernels.TABLE_II

    @property
    def keys(self):
        return [(" ".join(self.names), policy, self.experiment.name)
                for policy in self.policies or ("",)]


def concerned(pairs, experiment):
    """The pairs that are another thing in an experiment."""
    return [pair for pair in pairs if not experiment.only or experiment.only in pair]


def of_pairs(pairs, names):
    """Everything that is run of pairs and sets, experiments last."""
    quick, best = kernels.POLICIES[:-2], kernels.POLICIES[-2:]
    sets = [each for each in kernels.SETS if set(each) <= set(names)]
    return [*(Job(pair, quick) for pair in pairs), *(Job(pair, best[:1]) for pair in pairs),
            *(Job(each, kernels.OF_SETS) for each in sets),
            *(Job(pair, best[1:]) for pair in pairs),
            *(Job(pair, each.policies, each) for each in kernels.EXPERIMENTS
              for pair in concerned(pairs, each))]


def fine(blocks, bypass=(0, 0)):
    """The name of a policy that is set by hand."""
    text = "fine:" + ",".join(map(str, blocks))
    return text + ("+bypass:" + ",".join(map(str, bypass)) if any(bypass) else "")


def of_figure_two():
    """Every {Tb_A, Tb_B} of Figure 2 (a), and at the paper's best every {By_A, By_B}, (b)."""
    counts = range(1, kernels.MOST_BLOCKS)
    settings = [fine(each) for each in itertools.product(counts, repeat=2)
                if sum(each) <= kernels.MOST_BLOCKS]
    first, second = kernels.BEST_SETTING
    past = itertools.product(range(first + 1), range(second + 1))
    return (*settings, *(fine(kernels.BEST_SETTING, each) for each in past if any(each)))


def of_table_four(pair):
    """The policy with the paper's setting, or none where that is the baseline."""
    blocks = kernels.PUBLISHED["pairs"][" ".join(pair)]
    return fine(blocks) if all(blocks) else None


def jobs(names, is_quick):
    """In the order in which they are run; a quick run has no experiments and no sets."""
    pairs = [pair for pair in kernels.PAIRS if set(pair) <= set(names)]
    profiles = [Job((name,), ()) for name in names]
    if is_quick:
        return profiles + [Job(pair, kernels.POLICIES) for pair in pairs]
    figure = ([Job(kernels.MOTIVATION, of_figure_two())]
              if set(kernels.MOTIVATION) <= set(names) else [])
    table = [Job(pair, (of_table_four(pair),)) for pair in pairs if of_table_four(pair)]
    return profiles + figure + table + of_pairs(pairs, names)


def files_of(tree, job, usual):
    return [recording.file_of(tree, kernels.kernel(name, job.experiment),
                              kernels.size_name(name, job.experiment, usual))
            for name in job.names]


def command(tree, job, usual):
    """One thread for each run of bm-sim: others run beside it."""
    words = [tree.tool("bm-sim"), "manage" if job.policies else "profile",
             *files_of(tree, job, usual), "--machine", kernels.MACHINE, "--json", "--jobs", 1,
             "--launches", kernels.LAUNCH, "--warp-scheduler", job.experiment.scheduler]
    words += [word for each in job.policies for word in ("--policy", each)]
    return words + [word for each in job.experiment.settings for word in ("--set", each)]


def kept(of, keys):
    return {key: of[key] for key in keys if of.get(key) not in (None, [])}


def profile_of(said):
    return [{**kept(said, ("opt",)), "type": said["type"].lower(), "points": [
        {"blocks": each["blocks_per_sm"], "cycles": each["cycles"],
         "throughput": each["throughput"], **kept(each, COUNTS)} for each in said["points"]]}]


def learned(learning):
    """How often SMs learned, and the {Tb_A, Tb_B} that the first one came by."""
    if not learning:
        return {}
    blocks = [period["blocks"] for period in learning["first_sm"]]
    path = [each for each, before in zip(blocks, [None, *blocks]) if each != before]
    return {"periods": learning["periods"], "changes": learning["changes"], "path": path}


def managed(said):
    """Of each policy what is kept: blocks and bypassing ones where they are limited."""
    return [{"cycles": each["cycles"], "all": kept(each["all"], COUNTS),
             "ends": [of["cycles"] for of in each["applications"]],
             "blocks": [of["blocks"] for of in each["limits"]],
             "bypass": [of["bypassing"] for of in each["limits"]],
             **learned(each.get("learning")), **kept(each, CHOSEN)} for each in said["policies"]]


def lines_of(tree, job, usual):
    begin = time.monotonic()
    said = json.loads(measure.call(command(tree, job, usual)))
    lines = managed(said) if job.policies else profile_of(said)
    seconds = round((time.monotonic() - begin) / len(lines), 2)
    return [{"set": list(job.names), "policy": policy, "experiment": job.experiment.name, **line,
             "seconds": seconds} for line, (_, policy, _) in zip(lines, job.keys)]


def simulated(tree, job, usual):
    """The lines of a job. Where it fails, its policies are run one by one, and the line of one
    that fails is what it said; of a profile none is missing."""
    try:
        return lines_of(tree, job, usual)
    except measure.Failed as failed:
        if not job.policies:
            raise
        if len(job.policies) == 1:
            return [{"set": list(job.names), "policy": job.policies[0],
                     "experiment": job.experiment.name,
                     "failed": str(failed).rsplit("error: ", 1)[-1]}]
    return [line for policy in job.policies for line in simulated(
        tree, dataclasses.replace(job, policies=(policy,)), usual)]
