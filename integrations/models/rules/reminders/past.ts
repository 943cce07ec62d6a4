/** Reads the time of a request about the past: "from May" is the last May. Pure. Called by planner.ts. */
import type { Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import { textOf } from '../answers/content.ts'

const DAY = 86_400_000
/** Days within which a day of the week is meant, and not one of a year. */
const WEEK = 7
const THIS_WEEK = /(?<!\p{L})(?:this|diese[rn]?) (?:week|woche)(?!\p{L})/iu

/** Null where the message names no time; as it stands where it is over. */
export function pastSpan({
  metadata,
  output,
  request = '',
}: Pick<PromptParts, 'metadata' | 'output'> & Partial<Pick<PromptParts, 'request'>>): Readonly<
  Record<string, Json>
> {
  const fields = metadata.find(({ root }) => root === 'said')?.fields as Json | undefined
  const [from, to] = [textOf(fields, 'from'), textOf(fields, 'to')]
  const ahead = (localOf(from) - Date.parse(`${output.now}:00Z`)) / DAY
  if (from === '' || Number.isNaN(ahead)) return {}
  // What is over of this week began on its Monday.
  if (ahead <= 0 && from.slice(0, 10) === output.now.slice(0, 10) && THIS_WEEK.test(request))
    return { from: daysBefore(from, (new Date(localOf(from)).getUTCDay() + WEEK - 1) % WEEK), to }
  const back = (at: string): string => (ahead <= 0 ? at : ahead > WEEK ? yearBefore(at) : weekBefore(at))
  return { from: back(from), to: back(to === '' ? from : to) }
}

/** Local time as if it were UTC. */
function localOf(at: string): number {
  return Date.parse(`${at.slice(0, 16)}Z`)
}

function yearBefore(at: string): string {
  const moved = `${Number(at.slice(0, 4)) - 1}${at.slice(4)}`
  return moved.slice(5, 10) === '02-29' ? moved.replace('-02-29', '-03-01') : moved
}

function weekBefore(at: string): string {
  return daysBefore(at, WEEK)
}

function daysBefore(at: string, days: number): string {
  return `${new Date(localOf(at) - days * DAY).toISOString().slice(0, 16)}${at.slice(16)}`
}
