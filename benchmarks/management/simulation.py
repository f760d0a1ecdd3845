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

COUNTS = ("cycles", "instructions", "l1_reads", "l1_hits", "l1_under_way", "stall_structural",
          "stall_memory")
POINT = ("blocks", "ipc", "l1_miss_rate", "stall_structural", "stall_memory", "use_sp",
         "use_ldst")


@dataclasses.dataclass(frozen=True)
class Job:
    """One line of the results. A set of one kernel without a policy is its profile."""
    names: tuple
    policy: str
    experiment: kernels.Experiment = kernels.TABLE_II

    @property
    def key(self):
        return [" ".join(self.names), self.policy, self.experiment.name]


def concerned(pairs, experiment):
    """The pairs that are another thing in an experiment."""
    return [pair for pair in pairs if not experiment.only or experiment.only in pair]


def of_pairs(pairs, names):
    """Everything that is run of pairs, the quick ones before the brute force."""
    quick = [Job(pair, policy) for pair in pairs for policy in kernels.POLICIES[:-2]]
    experiments = [Job(pair, policy, each) for each in kernels.EXPERIMENTS
                   for pair in concerned(pairs, each) for policy in kernels.QUICK]
    best = [Job(pair, policy) for policy in kernels.POLICIES[-2:] for pair in pairs]
    return [*quick, *(Job(names_of, policy) for names_of in kernels.SETS
                      if set(names_of) <= set(names) for policy in kernels.OF_SETS),
            *best, *experiments]


def fine(blocks, bypass=(0, 0)):
    """The name of a policy that is set by hand."""
    text = "fine:" + ",".join(map(str, blocks))
    return text + (" bypass:" + ",".join(map(str, bypass)) if any(bypass) else "")


def of_figure_two():
    """Every {Tb_A, Tb_B} of Figure 2 (a), and at the paper's best every {By_A, By_B}, (b)."""
    counts = range(1, kernels.MOST_BLOCKS)
    settings = [fine(each) for each in itertools.product(counts, repeat=2)
                if sum(each) <= kernels.MOST_BLOCKS]
    first, second = kernels.BEST_SETTING
    past = itertools.product(range(first + 1), range(second + 1))
    return settings + [fine(kernels.BEST_SETTING, each) for each in past if any(each)]


def jobs(names, is_quick):
    """In the order in which they are run; a quick run has no experiments and no sets."""
    pairs = [pair for pair in kernels.PAIRS if set(pair) <= set(names)]
    profiles = [Job((name,), "") for name in names]
    if is_quick:
        return profiles + [Job(pair, policy) for pair in pairs for policy in kernels.POLICIES]
    figure = ([Job(kernels.MOTIVATION, policy) for policy in of_figure_two()]
              if set(kernels.MOTIVATION) <= set(names) else [])
    return profiles + of_pairs(pairs, names) + figure


def files_of(tree, job, usual):
    return [recording.file_of(tree, kernels.kernel(name, job.experiment),
                              kernels.size_name(name, job.experiment, usual))
            for name in job.names]


def command(tree, job, usual):
    words = [tree.tool("bm-sim"), "manage" if job.policy else "profile",
             *files_of(tree, job, usual), "--machine", kernels.MACHINE, "--json",
             "--launches", kernels.LAUNCH, "--warp-scheduler", job.experiment.scheduler]
    if job.policy:
        words += ["--policy", job.policy]
    return words + [word for each in job.experiment.settings for word in ("--set", each)]


def counts(of):
    return {key: of[key] for key in COUNTS if key in of}


def profile_of(said):
    return {"points": [{key: each[key] for key in POINT if key in each}
                       for each in said["points"]],
            **{key: said[key] for key in ("type", "opt")}}


def managed(said):
    return {"all": counts(said["all"]), "cycles": said["cycles"],
            "ends": [each["cycles"] for each in said["applications"]],
            **{key: said[key] for key in ("blocks", "bypass", "energy_uj") if key in said}}


def simulated(tree, job, usual):
    """The line of a job; of one that fails, what it said, but of a profile none is missing."""
    begin = time.monotonic()
    line = {"set": list(job.names), "policy": job.policy, "experiment": job.experiment.name}
    try:
        said = json.loads(measure.call(command(tree, job, usual)))
    except measure.Failed as failed:
        if not job.policy:
            raise
        return {**line, "failed": str(failed).rsplit("error: ", 1)[-1]}
    line |= managed(said) if job.policy else profile_of(said)
    return {**line, "seconds": round(time.monotonic() - begin, 2)}
