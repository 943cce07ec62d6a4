/**
 * Audit entry of an approved change of the rules (L-20, L-21): who made it, by which operation, the values
 * before and after, and the call that undoes it. Ids, states and numbers, never content. Called by change.ts,
 * in the transaction of the approval.
 */
import type { Grant } from '../../flow/grant.ts'
import type { Undo } from '../../operations/caller.ts'
import type { Facts } from '../../operations/operation.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { Actions, DirectiveFiles } from '../../powers/ports.ts'
import type { IdentityLinkStore, StoreOf } from '../../powers/stores.ts'
import { wholeCard } from '../../task/agreement.ts'
import type { Approval } from '../../task/approval.ts'
import type { ProposedChange } from '../../task/proposed-change.ts'
import { auditName } from '../credentials/ask-credential.ts'
import { toolsOf } from '../jobs/frozen.ts'
import type { Job, JobStore } from '../jobs/port.ts'
import { choiceOf, choiceWords } from '../models/choice.ts'
import type { AgreementStore } from '../people/port.ts'
import type { SettingStore } from '../quiet/port.ts'
import { templatesOff } from '../templates/off.ts'
import { switchedOff } from '../tools/switched.ts'
import type { Webservices } from '../webservices/port.ts'

type AppliedPorts = Actions &
  DirectiveFiles &
  Webservices &
  StoreOf<IdentityLinkStore & AgreementStore & JobStore & SettingStore>

/** `state`: read before and after the change. */
interface Applied {
  readonly operation: string
  readonly state: () => Facts
  readonly undo: Undo | null
}

type Kind = ProposedChange['do']
type ChangeOf<K extends Kind> = Extract<ProposedChange, { readonly do: K }>

/**
 * Audit entry by kind of change; null for changes that are no settings: of a remembered fact, an answer, a transcript, a
 * disconnected chat, one message's place.
 */
const APPLIED: { readonly [K in Kind]: ((powers: AppliedPorts, change: ChangeOf<K>) => Applied) | null } = {
  grant: (_, { grant }) => grantApplied(grant),
  link: ({ store }, { link: id }) => ({
    operation: 'identities.link',
    state: () => ({
      link: id,
      state: store.identityLinks().find(({ link }) => link.id === id)?.link.state ?? null,
    }),
    undo: { operation: 'identities.unlink', args: { id } },
  }),
  pair: ({ store }, { agreement: id, others = [] }) => ({
    operation: 'people.invite',
    state: () => {
      const states = [id, ...others].map(
        (one) => store.agreements().find(({ agreement }) => agreement.id === one)?.agreement.state ?? null,
      )
      return { agreement: id, state: others.length === 0 ? (states[0] ?? null) : states.join(',') }
    },
    undo: { operation: 'people.revoke', args: { id: others.length === 0 ? id : wholeCard(id) } },
  }),
  job: ({ store }, change) => jobApplied(store, change),
  brain: ({ directives }, { file, replaces }) => ({
    operation: 'brain.write',
    state: () => ({ file, version: directives?.current().find((one) => one.file === file)?.version ?? 0 }),
    undo: replaces === 0 ? null : { operation: 'brain.restore', args: { name: file, version: replaces } },
  }),
  model: ({ store }) => {
    const before = choiceWords(choiceOf({ store }))
    return {
      operation: 'models.use',
      state: () => ({ choice: choiceWords(choiceOf({ store })) }),
      undo: { operation: 'models.put_back', args: { choice: before } },
    }
  },
  webservice: ({ webservices }, { of, id }) => {
    const isTaken = webservices?.named().some((one) => one.id === id) === true
    let isNamed = isTaken
    return {
      operation: of === 'host' ? 'webservices.allow' : 'webservices.save',
      // The name is assigned right after the transaction.
      state() {
        const facts = { webservice: id, named: isNamed }
        isNamed = true
        return facts
      },
      undo: isTaken
        ? { operation: 'webservices.restore', args: { id } }
        : { operation: 'webservices.remove', args: { what: id } },
    }
  },
  tool: ({ store, ...powers }, { service }) => ({
    operation: 'tools.on',
    state: () => ({
      service: auditName(powers, service),
      state: switchedOff({ store }).includes(service) ? 'off' : 'on',
    }),
    undo: { operation: 'tools.off', args: { which: auditName(powers, service) } },
  }),
  template: ({ store }, { templates }) => ({
    operation: 'templates.on',
    state: () => ({
      templates: templates.join(','),
      off: templates.filter((id) => templatesOff({ store }).includes(id)).join(','),
    }),
    undo: { operation: 'templates.off', args: { which: templates.join(',') } },
  }),
  // A deleted credential cannot be restored, only entered again.
  disconnect: (powers, { service }) => {
    let state = 'connected'
    return {
      operation: 'tools.remove',
      // The credential is deleted right after the transaction.
      state() {
        const facts = { service: auditName(powers, service), state }
        state = 'open'
        return facts
      },
      undo: null,
    }
  },
  // The older fact can be restored for a while by `memory.undo`.
  fact: null,
  forget: null,
  ...{ word: null, leave: null, here: null, heard: null },
}

/** Whether approving the change establishes a rule. */
export function isRule(change: ProposedChange): boolean {
  return APPLIED[change.do] !== null
}

/** Operation that asks for each kind of grant. */
const ASKED_BY: Readonly<Record<Grant['kind'], string>> = {
  ...{ write: 'approvals.approve', disclosure: 'approvals.approve', fields: 'grants.freebusy' },
  ...{ append: 'jobs.set_page', unasked: 'templates.allow', due_times: 'reminders.share' },
  ...{ cloud: 'models.acknowledge', transport: 'bot.acknowledge', compartment: 'health.allow' },
}

function grantApplied({ id, kind, template }: Grant): Applied {
  let state: string | null = null
  return {
    operation: ASKED_BY[kind],
    state() {
      const facts = { grant: id, template, state }
      state = 'live'
      return facts
    },
    undo: { operation: 'grants.revoke', args: { id } },
  }
}

function jobApplied(
  store: JobStore,
  { job: id, reach, messages, quiet, sink, page, form }: ChangeOf<'job'>,
): Applied {
  const found = store.findJob(id)
  const number = found?.number ?? 0
  const named = { words: String(number) }
  const state = (): Facts => jobState(store.findJob(id))
  if (page !== undefined)
    return { operation: 'jobs.set_page', state, undo: { operation: 'jobs.drop_page', args: named } }
  if (reach !== undefined)
    return { operation: 'jobs.resume', state, undo: { operation: 'jobs.pause', args: named } }
  if (messages !== undefined)
    return { operation: 'jobs.set_time', state, undo: { operation: 'jobs.put_back', args: { number } } }
  if (form !== undefined)
    return { operation: 'jobs.update', state, undo: { operation: 'jobs.former', args: { number } } }
  if (quiet !== undefined) {
    const [now, before] = quiet.is ? (['quiet', 'loud'] as const) : (['loud', 'quiet'] as const)
    return { operation: `jobs.set_${now}`, state, undo: { operation: `jobs.set_${before}`, args: named } }
  }
  if (sink !== undefined) {
    const words = `send ${number} to ${found?.sink.split(':')[1] ?? ''} instead`
    return { operation: 'jobs.set_chat', state, undo: { operation: 'jobs.set_chat', args: { words } } }
  }
  return { operation: 'jobs.enable', state, undo: { operation: 'jobs.remove', args: named } }
}

function jobState(job: Job | null): Facts {
  if (job === null) return { job: null }
  const { number, state, sink, due, page, frozen } = job
  const [, chat = ''] = sink.split(':')
  return { job: number, state, chat, due, page: page?.tool ?? null, reads: toolsOf(frozen.plan).join(',') }
}

/** `apply` makes the change. The audit row is written only if `apply` did not refuse. */
export function withApplied<T extends { readonly ok: boolean }>(
  powers: Auditing & AppliedPorts,
  { id, change, decidedBy, decidedFrom }: Approval,
  apply: () => T,
): T {
  const read = change === null ? null : (APPLIED[change.do] as Reading)
  const applied = read === null || change === null ? null : read(powers, change)
  const before = applied?.state() ?? {}
  const done = apply()
  if (applied === null || !done.ok) return done
  const { operation, state, undo } = applied
  audit(powers, 'operation_called', null, {
    ...{ operation, by: decidedBy, door: decidedFrom, effect: 'widen', ok: true, card: id },
    ...named('before', before),
    ...named('after', state()),
    ...(undo === null ? {} : { undo: undo.operation, ...named('undo', undo.args) }),
  })
  return done
}

/** The cast is safe because an entry of `APPLIED` is only called with a change of its own kind. */
type Reading = ((powers: AppliedPorts, change: ProposedChange) => Applied) | null

function named(moment: string, facts: Facts): Facts {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [`${moment}_${name}`, value]))
}
