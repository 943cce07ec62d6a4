/**
 * Formats what a tool takes and gives for a planner's prompt: one line per tool, as short as models still read
 * correctly. Pure text; must not choose among tools. Called by layout.ts, and by shown-tools.ts to measure length.
 */
import type { ToolCard } from './parts.ts'

/** Minimum UTF-16 units of a result for which a later tool with the same result refers to the earlier tool. */
const LONG_RESULT = 40
/** Minimum number of arguments for which a later tool that takes all of them refers to the earlier tool. */
const MANY_ARGUMENTS = 5

/**
 * `calendar.freebusy(from: date, to: date) gives slots[from, to, busy]. When …`; one line whatever
 * the description contains. The kind is omitted for text, and where the argument is named like its
 * kind. Arguments and results equal to those of an earlier tool are given by that tool's name.
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

/** Maximum UTF-16 units of a result in the shortened form. */
const SHORT_RESULT = 48

/** The tool with its result shortened: `prs[…], more`, `name, area, …`. */
export function briefly(tool: ToolCard): ToolCard {
  return { ...tool, gives: shortened(tool.gives) }
}

function shortened(gives: string): string {
  if (gives.length <= SHORT_RESULT) return gives
  const folded = gives.replaceAll(/\[(?:[^[\]]|\[[^[\]]*\])+\]/g, '[…]').replaceAll(/\{[^{}]+\}/g, '{…}')
  if (folded.length <= SHORT_RESULT) return folded
  return `${folded.slice(0, folded.lastIndexOf(', ', SHORT_RESULT))}, …`
}

/** The tool with the first sentence of its description and without its result. */
export function shortly(tool: ToolCard): ToolCard {
  const [first = ''] = tool.description.split(/(?<=\p{L}{2}|\))[.;] /u)
  return { ...tool, gives: '', description: first }
}
