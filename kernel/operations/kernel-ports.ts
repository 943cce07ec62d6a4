/**
 * Operation ports that both places have, made from a place's powers. Must not decide anything; the functions behind
 * them do. Called by the places, which add their own ports.
 */

import { homePorts } from '#home-ports'
import { standingOf } from '../features/approvals/asking.ts'
import { holdsFor } from '../features/approvals/holds.ts'
import type { DecisionsPort } from '../features/approvals/port.ts'
import { viewsOf } from '../features/approvals/waiting.ts'
import { createJobs } from '../features/jobs/requests/jobs.ts'
import { createMemoryEntries } from '../features/memory/entries.ts'
import { about, find } from '../features/memory/entry-find.ts'
import { askForget } from '../features/memory/forget-about.ts'
import { whoAmI } from '../features/models/model-check.ts'
import { createQuiet } from '../features/quiet/quiet.ts'
import { createReminders } from '../features/reminders/reminders.ts'
import { usageReport } from '../features/usage/usage-report.ts'
import { createZonePort } from '../features/zone/zone.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { Powers } from '../powers/all-powers.ts'
import { lookUpAction } from '../powers/effects.ts'
import type { Deciding } from '../runtime/shell-port.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'
import { progressWords } from '../tool/worded.ts'
import type { HomePorts } from './home-ports.ts'
import { OPERATIONS } from './index.ts'
import type { OperationPorts } from './ports.ts'

export type KernelPorts = HomePorts &
  Pick<
    OperationPorts,
    'approvals' | 'memory' | 'reminders' | 'quiet' | 'zone' | 'jobs' | 'names' | 'usage' | 'trail'
  >

export function kernelPorts(powers: Powers): KernelPorts {
  return {
    ...homePorts(powers),
    approvals: {
      list: async (principal) => (principal === OWNER_PRINCIPAL ? viewsOf(powers) : []),
      async standing(principal, approval) {
        const standing = principal === OWNER_PRINCIPAL ? standingOf(powers, approval) : null
        return standing === null ? err('approval_unknown') : ok(standing)
      },
      holds: async (principal, approval) => (principal === OWNER_PRINCIPAL ? holdsFor(powers, approval) : ''),
    },
    memory: {
      ...createMemoryEntries(powers),
      about: (asking, words) => about(powers, asking, words),
      find: (asking, which) => find(powers, asking, which),
      askForget: (asking, words) => askForget(powers, asking, words),
      reword: (fact, said) => powers.tier.talk?.reword(fact, said),
    },
    reminders: createReminders(powers),
    quiet: createQuiet(powers),
    zone: createZonePort(powers),
    jobs: createJobs(powers),
    names: () => whoAmI(powers),
    usage: async (days) => usageReport(powers, days, await powers.plan?.()),
    trail: {
      lately: (within, most) => powers.store.auditSince(powers.now() - within, most),
      describe(action) {
        const found = lookUpAction(powers.registry, action)
        return found.ok ? (progressWords(found.value) ?? found.value.description) : null
      },
      writes(action) {
        const found = lookUpAction(powers.registry, action)
        return found.ok && found.value.semantics === 'write'
      },
      asks: (name) => OPERATIONS.find((one) => one.name === name)?.summary.split(/[;,] /, 1)[0] ?? null,
    },
  }
}

/** Answers to cards, through the shell. `drive`: continues the principal's work. */
export function decisionsPort(shell: () => Deciding, drive: (principal: string) => void): DecisionsPort {
  const driven = <T extends { readonly principal: string }>(decided: Result<T>): Result<T> => {
    if (decided.ok) drive(decided.value.principal)
    return decided
  }
  return {
    decide: async (input) => driven(await shell().decide(input)),
    edit: async (input) => driven(await shell().edit(input)),
    leaveOut: async (input) => driven(await shell().leaveOut(input)),
    always: (proposer, terms) => shell().always(proposer, terms),
  }
}
