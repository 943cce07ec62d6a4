/**
 * Plans of declared sentences without an intent: slots as typed, rows that were shown or changed, and people
 * by name. Must not read a message. Called by planner.ts.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import { coreAsTyped } from '../../extractors/message/message-intent.ts'
import { unnamedRequest } from '../../extractors/message/message-requests.ts'
import type { Among, Phrase, Phrases } from '../../tools/phrase.ts'
import { plannedSteps } from '../../tools/planned.ts'
import { fieldOf } from './answers/content.ts'
import { withMore } from './earlier/asked-last.ts'
import { doneLast } from './earlier/done-last.ts'
import { listWithSaid, namedRow, wordsOfRow } from './earlier/named-row.ts'
import { onwardPlan } from './earlier/onward.ts'
import { everyShown, shownRow } from './earlier/shown.ts'
import { pastSpan } from './reminders/past.ts'
import { withoutThings } from './reminders/reminding.ts'
import { saidOf } from './said.ts'
import { call, nothing, steps } from './steps.ts'
import { recipientsOf, unknownPeople } from './whom.ts'

/**
 * Plan of the first sentence that matches the whole request, among the phrases that `isMeant` accepts; null
 * if none does.
 */
export function phrasePlan(
  request: string,
  packages: readonly Phrases[],
  isMeant: (phrase: Phrase) => boolean = () => true,
  { metadata }: Pick<PromptParts, 'metadata'> = { metadata: [] },
): Plan | null {
  const found = unnamedRequest(packages, coreAsTyped(request), isMeant)
  return found === null ? null : unnamedPlan(found.phrase, found.taken, { metadata })
}

/**
 * What a plan looks in first: the rows that were shown, where words of the request stand in one of them. Null
 * where it fetches a list.
 */
function fromShown(
  plan: Phrase['plan'],
  { among, taken }: { readonly among: Among | undefined; readonly taken: Readonly<Record<string, string>> },
  parts: Pick<PromptParts, 'metadata'>,
): Phrase['plan'] | null {
  const [fetched, picked, ...others] = plan
  if (among === undefined || fetched?.['tool'] !== among.tool || picked?.['do'] !== 'select') return null
  const { tool, shows = [], list } = among
  const [, slot = ''] = /^\{(\w+)\}$/.exec(String(picked['matching'])) ?? []
  const named = taken[slot] ?? ''
  const shown = listWithSaid({ lists: [tool, ...shows], list }, parts, named)
  if (shown === null || picked['from'] !== `${String(fetched['id'])}.${list}`) return null
  return [fetched, { ...picked, from: `${shown.root}.${among.list}` }, ...others]
}

/** Whether a result has that field, which may be one of a record in it. */
function isGiven(fields: Json, path: string): boolean {
  const value = path.split('.').reduce<Json>((at, key) => fieldOf(at, key) ?? null, fields)
  return value !== null
}

/** The plan of a sentence without a name, or why there is none. */
export function unnamedPlan(
  { plan: said, otherwise, later, back, among, shown, every, past, lacks, waits, onward }: Phrase,
  typed: Readonly<Record<string, string>>,
  {
    metadata,
    request = '',
    output,
  }: Pick<PromptParts, 'metadata'> & Partial<Pick<PromptParts, 'request' | 'output'>>,
): Plan {
  if (lacks !== undefined && shown === undefined) return nothing(lacks)
  if (onward !== undefined) return onwardPlan({ metadata }, onward)
  const taken = among === undefined ? typed : withoutThings(typed)
  const { whom } = taken
  const people = whom === undefined ? null : recipientsOf(whom, { metadata, request })
  const more = waits === undefined || people === null ? null : withMore(waits, people, { metadata })
  if (more !== null && people !== null && waits !== undefined)
    return steps(...people.before, call(`s${people.before.length + 1}`, waits.tool, more))
  const done = back === undefined ? null : doneLast(back, metadata)
  if (back !== undefined && done === null) return nothing(back.unknown)
  const rows =
    shown === undefined || every === undefined ? null : everyShown(shown, { metadata }, every === 'last')
  if (every !== undefined && rows === null) return nothing(shown?.unknown ?? 'not_understood')
  const looked = people?.before ?? done?.before ?? []
  const words = shown === undefined ? null : wordsOfRow(taken['thing'])
  const named =
    shown === undefined || words === null
      ? null
      : namedRow(shown, words, { parts: { metadata }, steps: looked.length })
  const row =
    shown === undefined || every !== undefined
      ? ''
      : words === null
        ? shownRow(shown, taken['thing'] ?? '', { metadata })
        : (named?.path ?? null)
  if (waits !== undefined && people === null && row === null) return nothing('not_understood')
  // What is named by its place is one of a list, and no other.
  const isOpen = row === null && otherwise !== undefined && taken['thing'] === undefined
  const [one, usual] = isOpen ? ['', otherwise] : [row, said]
  // What cannot be done with what was shown is no answer to anything else.
  if (lacks !== undefined) return nothing(one === null ? 'not_understood' : lacks)
  if (one === null) return nothing(shown?.unknown ?? 'not_understood')
  // A day that has begun is no time to wait for.
  const plan = later !== undefined && saidOf({ metadata }).wholeDay ? later : usual
  if (whom !== undefined && people === null) return nothing(unknownPeople(whom))
  const filling = {
    ...{ taken, typed: request },
    ...(done !== null && { back: done.rows, left: (path: string) => isGiven(done.fields, path) }),
    ...(one !== '' && { one }),
    ...(rows !== null && { every: rows }),
    ...(past === true && { when: output === undefined ? {} : pastSpan({ metadata, output, request }) }),
    ...(people !== null && { whom: people.to }),
  }
  const before = [...looked, ...(named?.before ?? [])]
  const there = fromShown(plan, { among, taken }, { metadata })
  // Nothing is fetched then, and all other steps move up by one.
  const own = (there === null
    ? plannedSteps(plan, filling, before.length)
    : plannedSteps(there, filling, before.length - 1).slice(1)) as unknown as Plan['steps']
  return { steps: [...before, ...own], explanation: '' }
}
