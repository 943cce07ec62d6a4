/**
 * How a planner's prompt says what a tool takes and gives: a line each, as short as a model reads it without fail. Pure text; must not choose among
 * tools. Called by layout.ts, and by shown-tools.ts for how long they are.
 */
import type { ToolCard } from './parts.ts'

/** UTF-16 units of a result's fields from which on a tool with the same ones names the other. */
const LONG_RESULT = 40
/** Arguments from which on a tool that takes all of another's names the other. */
const MANY_ARGUMENTS = 5

/**
 * `calendar.freebusy(from: date, to: date) gives slots[from, to, busy]. When …`; one line whatever a description holds. A text, and what is called by
 * its kind, has no kind; what a tool takes and gives as one before it does is said by that one's name.
 */
export function toolLines(tools: readonly ToolCard[], before: readonly ToolCard[] = []): readonly string[] {
  return tools.map((tool, at) => toolLine(tool, [...before, ...tools.slice(0, at)]))
}

export function toolLine(tool: ToolCard, before: readonly ToolCard[]): string {
  const { id, description, semantics, gives } = tool
  const same = before.find((other) => other.gives === gives)
  const told = gives.length >= LONG_RESULT && same !== undefined ? `what ${same.id} gives` : gives
  const writes = semantics === 'write' ? 'writes: ' : ''
  const result = told === '' ? '' : ` gives ${told}`
  return `${writes}${id}(${takenBy(tool, before)})${result}. ${description}`.replaceAll(/\s+/g, ' ')
}

function takenBy({ args }: ToolCard, before: readonly ToolCard[]): string {
  const like = before.find((other) => {
    const own = Object.entries(other.args)
    return own.length >= MANY_ARGUMENTS && own.every(([name, kind]) => args[name] === kind)
  })
  const more = Object.entries(args).flatMap(([name, kind]) => {
    if (like !== undefined && Object.hasOwn(like.args, name)) return []
    return [kind === 'text' || kind === name.replace('?', '') ? name : `${name}: ${kind}`]
  })
  return [...more, ...(like === undefined ? [] : [`and what ${like.id} takes`])].join(', ')
}

/** UTF-16 units of a result's fields that are said of any tool. */
const SHORT_RESULT = 48

/** The same, with less of a long result: `prs[…], more`, `name, area, …`. */
export function briefly(tool: ToolCard): ToolCard {
  return { ...tool, gives: shortened(tool.gives) }
}

function shortened(gives: string): string {
  if (gives.length <= SHORT_RESULT) return gives
  const folded = gives.replaceAll(/\[(?:[^[\]]|\[[^[\]]*\])+\]/g, '[…]').replaceAll(/\{[^{}]+\}/g, '{…}')
  if (folded.length <= SHORT_RESULT) return folded
  return `${folded.slice(0, folded.lastIndexOf(', ', SHORT_RESULT))}, …`
}

/** The same, with what it takes and what it is for: the first sentence of it. */
export function shortly(tool: ToolCard): ToolCard {
  const [first = ''] = tool.description.split(/(?<=\p{L}{2}|\))[.;] /u)
  return { ...tool, gives: '', description: first }
}
