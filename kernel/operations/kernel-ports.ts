/**
 * Operation ports that both places have, made from a place's powers. Must not decide anything; the functions behind
 * them do. Called by the places, which add their own ports.
 */

import { standingOf } from '../features/approvals/asking.ts'
import { proposeFields } from '../features/approvals/change.ts'
import { holdsFor } from '../features/approvals/holds.ts'
import type { DecisionsPort } from '../features/approvals/port.ts'
import { viewsOf } from '../features/approvals/waiting.ts'
import { createContacts } from '../features/contacts/contacts.ts'
import { createDirectiveService } from '../features/directives/directive-service.ts'
import { grantsOf, revokeGrant } from '../features/grants/grants.ts'
import { createCompartments } from '../features/health/chat-consent.ts'
import { choreViews } from '../features/housekeeping/chores.ts'
import { createIdentityLinks } from '../features/identities/identity-links.ts'
import { createJobs } from '../features/jobs/requests/jobs.ts'
import { createLanguagePort } from '../features/language/language.ts'
import { createMemoryEntries } from '../features/memory/entries.ts'
import { about, find } from '../features/memory/entry-find.ts'
import { askForget } from '../features/memory/forget-about.ts'
import { createChoice } from '../features/models/choice-port.ts'
import { proposeCloud } from '../features/models/cloud-consent.ts'
import { whoAmI } from '../features/models/model-check.ts'
import { createPeople } from '../features/people/people.ts'
import { createQuiet } from '../features/quiet/quiet.ts'
import { createSharedTimes } from '../features/reminders/away.ts'
import { createReminders } from '../features/reminders/reminders.ts'
import { createScheduled } from '../features/scheduled/waiting.ts'
import { createUnasked } from '../features/templates/unasked.ts'
import { templateView } from '../features/templates/view.ts'
import { createToolSwitch } from '../features/tools/tool-switch.ts'
import { usageReport } from '../features/usage/usage-report.ts'
import { createWebservices } from '../features/webservices/webservices.ts'
import { createZonePort } from '../features/zone/zone.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { Powers } from '../powers/all-powers.ts'
import { lookUpAction } from '../powers/effects.ts'
import type { Deciding } from '../runtime/shell-port.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'
import { progressWords } from '../tool/worded.ts'
import { OPERATIONS } from './index.ts'
import type { OperationPorts } from './ports.ts'

export type KernelPorts = Pick<
  OperationPorts,
  | 'approvals'
  | 'grants'
  | 'memory'
  | 'reminders'
  | 'sharedTimes'
  | 'quiet'
  | 'scheduled'
  | 'zone'
  | 'language'
  | 'contacts'
  | 'jobs'
  | 'people'
  | 'identities'
  | 'directives'
  | 'templates'
  | 'unasked'
  | 'toolSwitch'
  | 'cloud'
  | 'choice'
  | 'compartments'
  | 'names'
  | 'usage'
  | 'webservices'
  | 'housekeeping'
  | 'trail'
>

export function kernelPorts(powers: Powers): KernelPorts {
  return {
    approvals: {
      list: async (principal) => (principal === OWNER_PRINCIPAL ? viewsOf(powers) : []),
      async standing(principal, approval) {
        const standing = principal === OWNER_PRINCIPAL ? standingOf(powers, approval) : null
        return standing === null ? err('approval_unknown') : ok(standing)
      },
      holds: async (principal, approval) => (principal === OWNER_PRINCIPAL ? holdsFor(powers, approval) : ''),
    },
    grants: {
      list: () => grantsOf(powers),
      revoke: async (grant, principal) => revokeGrant(powers, grant, principal),
      allow: (proposer, terms) => proposeFields(powers, proposer, terms),
    },
    memory: {
      ...createMemoryEntries(powers),
      about: (asking, words) => about(powers, asking, words),
      find: (asking, which) => find(powers, asking, which),
      askForget: (asking, words) => askForget(powers, asking, words),
      reword: (fact, said) => powers.tier.talk?.reword(fact, said),
    },
    reminders: createReminders(powers),
    sharedTimes: createSharedTimes(powers),
    quiet: createQuiet(powers),
    scheduled: createScheduled(powers),
    zone: createZonePort(powers),
    language: createLanguagePort(powers),
    contacts: createContacts(powers),
    jobs: createJobs(powers),
    people: createPeople(powers),
    identities: createIdentityLinks(powers),
    directives: createDirectiveService(powers),
    templates: () => powers.templates.map(templateView),
    unasked: createUnasked(powers),
    toolSwitch: createToolSwitch(powers),
    choice: createChoice(powers),
    cloud: (proposer, template) => proposeCloud(powers, proposer, template),
    compartments: createCompartments(powers),
    housekeeping: () => choreViews(powers),
    names: () => whoAmI(powers),
    usage: async (days) => usageReport(powers, days, await powers.plan?.()),
    webservices: createWebservices(powers),
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
