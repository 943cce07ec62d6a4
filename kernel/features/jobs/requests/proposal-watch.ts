/**
 * Proposes a reminder with a condition: whose mail is searched, until when, and what is said. A person is
 * identified by an address that the owner typed or has in the contacts, never by a name in mail. Must not
 * create it: `applyJob` does. Called by jobs.ts.
 */
import { levelOfWords } from '../../../flow/both-lines.ts'
import { derive, type Labeled } from '../../../flow/labeled.ts'
import { ownerWords, receive } from '../../../flow/provenance.ts'
import { err, ok, type Result } from '../../../flow/verdict.ts'
import type { OwnerFacts } from '../../../powers/ports.ts'
import { instantOf, localMoment, namedMoment } from '../../../wording/output.ts'
import { tell } from '../../../wording/words.ts'
import type { Proposed, Proposer } from '../../approvals/port.ts'
import { chatTitle } from '../../deliveries/outage.ts'
import { FARTHEST } from '../../reminders/port.ts'
import type { JobRepeat } from '../../reminders/repeat.ts'
import { type Fields, fieldsIn } from '../named.ts'
import { needed, offIn } from '../needs.ts'
import { MOST_JOBS, type Watch } from '../port.ts'
import { templateOf } from '../runner.ts'
import { requestOf, WATCH_TEMPLATE, watchIn, whoseOf, writtenWatch } from '../watch.ts'
import { askFor, needsHome, type ProposalPorts, planOf } from './proposal.ts'

/** Minutes from one look to the next, as of the email check. */
const LOOKS_EVERY = 15

type Asked = Proposer & { readonly sink: string }

/** The fields of a request to be reminded on a condition; null for any other words. */
export function watchFields(powers: ProposalPorts, words: string): Fields | null {
  return fieldsIn(powers, words, { verb: 'remind me', intents: ['job_watch'] })
}

/**
 * Refusals: job_cannot_check, job_needs_home at a place that has no mail, job_whose_mail, job_by_when,
 * reminder_past, reminder_too_far, jobs_full, job_needs, service_off; those of `propose`.
 */
export async function proposeWatch(
  powers: ProposalPorts,
  proposer: Asked,
  fields: Fields,
): Promise<Result<Proposed>> {
  const { repeat: how, topic, from } = fields
  if (how !== 'once' && how !== 'minutes') return err('job_cannot_check')
  const mail = powers.templates.find((one) => one.id === WATCH_TEMPLATE)
  // The template is of other conditions as well, which read no mail.
  if (powers.place !== 'home' && mail !== undefined)
    return needsHome(powers, { ...mail, plans: {}, tools: ['email.search'] })
  const whose = whoseIn(powers, fields)
  if (whose === null) return err('job_whose_mail')
  if (powers.store.jobs().length >= MOST_JOBS) return err('jobs_full', { max: MOST_JOBS })
  const times = timesOf(powers, how, instantOf(from as string))
  if (!times.ok) return times
  const template = templateOf(powers, { template: WATCH_TEMPLATE, sink: proposer.sink })
  if (!template.ok) return template
  const line = powers.policy().sinks.find((one) => one.id === proposer.sink)
  if (line === undefined) return err('sink_unknown', { sink: proposer.sink })
  const id = powers.newId()
  const watch: Watch = { kind: how === 'once' ? 'unless' : 'when', since: powers.now() }
  const words: Labeled<string> = receive(
    writtenWatch({ ...whose, topic: typeof topic === 'string' ? topic : '' }),
    ownerWords(line.id, levelOfWords(line, powers.place)),
  )
  const plan = await planOf(powers, proposer, {
    ...{ id, template: template.value, words: requestOf({ watch }, words) },
  })
  if (!plan.ok) return plan
  const lacking = needed(powers, plan.value.frozen.plan)
  if (lacking !== null) return err('job_needs', lacking)
  const off = offIn(powers, plan.value.frozen.plan)
  if (off !== null) return err('service_off', { title: off })
  const { repeat, zone, at } = times.value
  const now = powers.now()
  const card = derive(words, (text) =>
    tell('jobs.card_watch', {
      what: tell(`jobs.card_watch_${watch.kind}`, {
        ...{ who: whoseOf(text), at: at === null ? '' : namedMoment(at, zone, now), zone },
        ...{ since: namedMoment(watch.since, zone, now), every: LOOKS_EVERY },
        topic: topicLine(text),
      }),
      chat: chatTitle(proposer.sink, powers.chats),
    }),
  )
  return askFor(powers, proposer, {
    ...{ id, words, frozen: plan.value.frozen, template: template.value, repeat, zone, watch, card },
  })
}

export function topicLine(text: string): string {
  const { topic } = watchIn(text)
  return topic === '' ? '' : `\n${tell('jobs.watch_topic', { topic })}`
}

interface Times {
  readonly repeat: JobRepeat
  readonly zone: string
  /** Epoch milliseconds, of one that is checked once. */
  readonly at: number | null
}

export function timesOf(powers: ProposalPorts, how: 'once' | 'minutes', at: number | null): Result<Times> {
  const { timezone: zone } = powers.profile()
  const now = powers.now()
  if (how === 'minutes') {
    const today = localMoment(now, zone).slice(0, 10)
    return ok({ repeat: { kind: 'minutes', every: LOOKS_EVERY, first: `${today} 00:00` }, zone, at: null })
  }
  if (at === null) return err('job_by_when')
  if (at <= now) return err('reminder_past')
  if (at - now > FARTHEST) return err('reminder_too_far')
  return ok({ repeat: { kind: 'once', every: 1, first: localMoment(at, zone) }, zone, at })
}

/** Words before a name that are no part of it. */
const ARTICLE = /^(?:the|my|our|a|an|die|der|das|mein|meine|meinem|meiner)\s+/iu

/** The one address that is meant; null where there is none, or more than one. */
function whoseIn(
  { profile }: OwnerFacts,
  { person, email }: Fields,
): { readonly name: string; readonly email: string } | null {
  const { contacts } = profile()
  if (typeof email === 'string') {
    const known = contacts.find((one) => one.email.toLowerCase() === email.toLowerCase())
    return { email, name: known?.name ?? '' }
  }
  if (typeof person !== 'string') return null
  const said = partsOf(person.replace(ARTICLE, ''))
  const exact = contacts.filter(({ name }) => partsOf(name).join(' ') === said.join(' '))
  const fitting =
    exact.length > 0
      ? exact
      : contacts.filter(({ name }) => said.every((part) => partsOf(name).includes(part)))
  const [only, other] = fitting
  return only === undefined || other !== undefined ? null : { name: only.name, email: only.email }
}

function partsOf(name: string): readonly string[] {
  return name.toLowerCase().match(/[\p{L}\p{N}'’-]+/gu) ?? []
}
