/**
 * Proposes a reminder whose condition is one of the owner's own things: which task by its number, which event by its words and days, or
 * a time with nothing planned. Must not create it: `applyJob` does. Called by jobs.ts.
 */
import { levelOfWords } from '../../../flow/both-lines.ts'
import { combine, derive, type Labeled } from '../../../flow/labeled.ts'
import { ownerWords, receive } from '../../../flow/provenance.ts'
import { err, ok, type Result } from '../../../flow/verdict.ts'
import { openTextOf } from '../../../powers/sealed.ts'
import { instantOf, namedMoment } from '../../../wording/output.ts'
import { tell } from '../../../wording/words.ts'
import type { Proposed, Proposer } from '../../approvals/port.ts'
import { showTo } from '../../deliveries/deliver.ts'
import { chatTitle } from '../../deliveries/outage.ts'
import { withWords } from '../../memory/telling-words.ts'
import type { Fields } from '../named.ts'
import { needed, offIn } from '../needs.ts'
import { MOST_JOBS, type Watch, type Watched } from '../port.ts'
import { templateOf } from '../runner.ts'
import { isThere, WATCH_TEMPLATE, whoseOf, writtenWatch } from '../watch.ts'
import { planOfWatched } from '../watch-own.ts'
import { askFor, type ProposalPorts } from './proposal.ts'
import { timesOf, topicLine } from './proposal-watch.ts'

type Asked = Proposer & { readonly sink: string }

const OF: Readonly<Record<string, Watched['of']>> = { list: 'task', calendar: 'event', free: 'free' }

/** Refusals: those of `proposeWatch` but for mail; reminder_unknown and reminder_several for what is not one thing on the list. */
export async function proposeOwnWatch(
  powers: ProposalPorts,
  proposer: Asked,
  fields: Fields,
): Promise<Result<Proposed>> {
  const of = OF[String(fields['into'])]
  if (of === undefined) return err('job_cannot_check')
  if (powers.store.jobs().length >= MOST_JOBS) return err('jobs_full', { max: MOST_JOBS })
  const times = timesOf(powers, 'once', instantOf(fields['from']))
  if (!times.ok) return times
  const template = templateOf(powers, { template: WATCH_TEMPLATE, sink: proposer.sink })
  if (!template.ok) return template
  const line = powers.policy().sinks.find((one) => one.id === proposer.sink)
  if (line === undefined) return err('sink_unknown', { sink: proposer.sink })
  const thing = of === 'task' ? await taskIn(powers, proposer, textOf(fields, 'person')) : null
  if (thing?.ok === false) return thing
  const range = rangeIn(fields)
  if (of !== 'task' && range === null) return err('job_by_when')
  const looks: Watched = {
    ...{ of, there: (fields['which'] !== 'without') !== (of === 'free') },
    ...(thing !== null && { number: thing.value.number }),
  }
  const watch: Watch = { kind: 'unless', since: powers.now(), looks }
  const { repeat, zone, at } = times.value
  const now = powers.now()
  const said =
    of === 'free' && range !== null
      ? `${namedMoment(range.from, zone, now)} – ${namedMoment(range.to, zone, now)}`
      : textOf(fields, 'person')
  const own = receive(said, ownerWords(line.id, levelOfWords(line, powers.place)))
  // The entry bears what it was written with, which may be somebody else's words.
  const words = combine<string, string>([own, ...(thing === null ? [] : [thing.value.text])], (texts) =>
    writtenWatch({ email: '', name: texts.at(-1) ?? '', topic: textOf(fields, 'topic') }),
  )
  const frozen = { plan: planOfWatched(looks, range), planner: 'canned' } as const
  const lacking = needed(powers, frozen.plan)
  if (lacking !== null) return err('job_needs', lacking)
  const off = offIn(powers, frozen.plan)
  if (off !== null) return err('service_off', { title: off })
  const card = derive(words, (text) =>
    tell('jobs.card_watch_own', {
      what: tell(`jobs.card_watch_${of}_${isThere(watch)}`, { who: whoseOf(text) }),
      ...{ at: at === null ? '' : namedMoment(at, zone, now), zone, topic: topicLine(text) },
      ...{ span: of === 'event' && range !== null ? spanWords(range, { zone, now }) : '' },
      counts: tell(of === 'task' ? 'jobs.card_watch_counts_task' : 'jobs.card_watch_counts_event'),
      chat: chatTitle(proposer.sink, powers.chats),
    }),
  )
  return askFor(powers, proposer, {
    ...{ id: powers.newId(), words, frozen, template: template.value, repeat, zone, watch, card },
  })
}

interface Range {
  readonly from: number
  readonly to: number
}

function rangeIn(fields: Fields): Range | null {
  const [from, to] = [instantOf(fields['newTime']), instantOf(fields['until'])]
  return from === null || to === null || to <= from ? null : { from, to }
}

function spanWords(
  { from, to }: Range,
  { zone, now }: { readonly zone: string; readonly now: number },
): string {
  return tell('jobs.card_watch_span', {
    from: namedMoment(from, zone, now),
    to: namedMoment(to, zone, now),
  })
}

function textOf(fields: Fields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}

/** The one open task with these words, of those that the chat may show. */
async function taskIn(
  powers: ProposalPorts,
  { principal, sink }: Asked,
  said: string,
): Promise<Result<{ readonly number: number; readonly text: Labeled<string> }>> {
  const open: { number: number; text: string; entry: Labeled<string> }[] = []
  for (const { number, ref } of powers.store.openReminders(principal, 'task')) {
    const text = await openTextOf(powers, ref)
    const shown = text.ok ? showTo(powers, { sink, principal }, text.value) : text
    if (text.ok && shown.ok) open.push({ number, text: shown.value, entry: text.value })
  }
  const [only, ...others] = withWords(said, open)
  if (only === undefined) return err('reminder_unknown')
  if (others.length > 0) return err('reminder_several', { count: others.length + 1 })
  return ok({ number: only.number, text: only.entry })
}
