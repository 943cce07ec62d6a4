/** Plans of reminders and list entries, and the words by which one is found. Pure. Called by planner.ts. */
import { eitherReminder } from '#either-way'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { namesPlace } from '../../../extractors/message/message-pointer.ts'
import { namedThings } from '../../../extractors/message/message-requests.ts'
import { itemsOf as itemsIn } from '../../../extractors/timed/items.ts'
import { isAsked } from '../../../extractors/timed/repeat-rules.ts'
import { TOOL_PHRASES } from '../../../tools/registered.ts'
import { shownThing } from '../earlier/shown.ts'
import { type Said, typedOf } from '../said.ts'
import { call, nothing, ref, steps } from '../steps.ts'
import type { Explanation } from '../words.ts'

/** What repeats in a way that was not understood is asked about: it must not become a single reminder. */
export function reminderPlan(said: Said, parts: PromptParts): Plan {
  if (said.repeat === 'two_ways') return eitherReminder(parts) ?? nothing('repeats_two_ways')
  if (isAsked(said.repeat)) return nothing(`repeats_${said.repeat}`)
  if (!said.has('topic')) return nothing(lacking('needs_reminder', parts))
  if (!said.has('from')) return nothing(said.repeat === '' ? 'needs_time' : 'needs_day')
  const every = {
    ...(said.repeat !== '' && { repeat: ref('said.repeat') }),
    ...(said.has('count') && { every: ref('said.count') }),
    ...(said.has('until') && { until: ref('said.until') }),
  }
  const shown = shownThing(typedOf(parts).topic, parts)
  if (shown?.path === null) return nothing('reminder_thing_unknown')
  return shown === null
    ? steps(call('s1', 'reminder.set', { text: ref('said.topic'), due: ref('said.from'), ...every }))
    : steps(call('s1', 'reminder.about', { about: ref(`${shown.path}.id`), due: ref('said.from'), ...every }))
}

/** What is to be kept and is not said: it may have been named by what it stands in. */
export function lacking(
  what: 'needs_fact' | 'needs_reminder' | 'needs_task',
  { request }: PromptParts,
): Explanation {
  return namesPlace(request) ? 'stands_elsewhere' : what
}

/** One step for each item, in the words of the message. */
export function tasksPlan(parts: PromptParts): Plan {
  const { topic } = typedOf(parts)
  if (topic === '') return nothing(lacking('needs_task', parts))
  const items = itemsIn(topic)
  if (items.length === 1 && items[0] === topic)
    return steps(call('s1', 'task.add', { text: ref('said.topic') }))
  return steps(...items.map((text, at) => call(`s${at + 1}`, 'task.add', { text })))
}

/** "Sarah's mail" and "the invoice mail" are found by Sarah and by the invoice. */
export function withoutThings(taken: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { owned } = namedThings(TOOL_PHRASES)
  const bare = (words: string): string => {
    const [, before = '', last = ''] = /^(.*\S)\s+(\S+)$/s.exec(words) ?? []
    return before !== '' && owned.test(last) ? bare(before.replace(/['’]s?$/, '')) : words
  }
  return Object.fromEntries(
    Object.entries(taken).map(([slot, words]) => [slot, FOUND_BY.includes(slot) ? bare(words) : words]),
  )
}

const FOUND_BY = ['who', 'what', 'sender', 'these']
