/**
 * Lists the abilities: a few examples of each tool, or everything of a named one. Must not name a tool that
 * this conversation does not have. Called by answer.ts.
 */
import type { PromptParts, ToolCard } from '../../../../kernel/prompt/parts.ts'
import { usableTools } from '../../../../kernel/prompt/shown-tools.ts'
import { actionWords, TOOL_MANIFESTS } from '../../../tools/registered.ts'
import * as words from '../words.ts'
import { connectedIn, nameOf, setUpOf } from './self.ts'
import { bound, line } from './text.ts'

/** Examples of a tool in the list of all of them. */
const EXAMPLES = 3
/** Kinds of what can be done, in the answer to who it is. */
const KINDS = 5
/** UTF-16 units of a message that can ask only that. */
const WHO_MOST = 60

interface Group {
  readonly title: string
  /** Names that a request may use for it besides its title. */
  readonly names: readonly string[]
  readonly cards: readonly ToolCard[]
}

/** What is set up keeps its room: the list of what can be done is what is cut. */
export function helpWithSetUp(parts: PromptParts): string {
  const setUp = setUpOf(parts).join('\n')
  const room = parts.output.maxChars - (setUp === '' ? 0 : setUp.length + 1)
  const can = bound(helpOf(parts).join('\n'), Math.max(room, 0), words.CUT())
  return setUp === '' ? can : `${can}\n${setUp}`
}

function helpOf(parts: PromptParts): readonly string[] {
  const groups = groupsOf(usable(parts))
  const named = groups.filter((group) => names(parts.request, group))
  const name = nameOf(parts)
  if (groups.length === 0) return [words.HELP_NOTHING(name)]
  const asksWho = words.WHO.test(parts.request.slice(0, WHO_MOST))
  if (asksWho && groups.length > EXAMPLES)
    return [
      words.WHO_AM_I(
        name,
        groups.slice(0, KINDS).map(({ title }) => title),
      ),
    ]
  if (named.length > 0)
    return named.flatMap(({ title, cards }) => [words.HELP_OF(title), ...abilities(cards)])
  const [first, second] = groups
  if (first !== undefined && second === undefined) return [words.HELP_ALL(name), ...abilities(first.cards)]
  return [
    words.HELP_INTRO(name),
    ...groups.map(briefOf),
    ...(first === undefined ? [] : [words.HELP_MORE(first.title)]),
  ]
}

/** In the order of the cards. */
function groupsOf(cards: readonly ToolCard[]): readonly Group[] {
  const found = new Map<string, { names: Set<string>; cards: ToolCard[] }>()
  for (const card of cards) {
    if (words.SILENT_TOOLS.includes(card.id)) continue
    const tool = toolOf(card.id)
    const title = titleOf(card.id)
    const group = found.get(title) ?? { names: new Set<string>(), cards: [] }
    group.names.add(tool?.name ?? title)
    group.cards.push(card)
    found.set(title, group)
  }
  return [...found].map(([title, group]) => ({ title, names: [...group.names], cards: group.cards }))
}

/** As the words of the tool's first action call it; the tool's own name where they do not. */
function titleOf(id: string): string {
  const family = id.slice(0, id.indexOf('.'))
  if (isEffects(family)) return words.GROUPS[family]
  const tool = toolOf(id)
  const [first] = tool?.actions ?? []
  return actionWords(first?.id ?? '')?.group ?? tool?.name ?? id
}

function isEffects(family: string): family is keyof typeof words.GROUPS {
  return Object.hasOwn(words.GROUPS, family)
}

/** `what can you do with mail?` names it by one of its words. */
function names(request: string, { title, names: others }: Group): boolean {
  const said = request.toLowerCase().match(/\p{L}{3,}/gu) ?? []
  const called = [title, ...others].flatMap((one) => one.toLowerCase().match(/\p{L}{3,}/gu) ?? [])
  return said.some((word) => called.some((one) => word === one || word === `${one}s` || `${word}s` === one))
}

function briefOf({ title, cards }: Group): string {
  const examples = [...new Set(cards.flatMap(({ id }) => exampleOf(helpText(id) ?? '') ?? []))]
  if (examples.length > 0) return `- ${title}: ${examples.slice(0, EXAMPLES).join(', ')}`
  return `- ${title}: ${abilities(cards.slice(0, 1)).join('').replace(/^- /, '')}`
}

/**
 * The first words that can be said as they stand, with their marks. Those that name something first are none.
 */
function exampleOf(help: string): string | null {
  return /:\s((?:"[^"]+"|„[^“]+“))(?=$|\s\(|,?\s?(?:\p{L}+\s)?["„])/u.exec(help)?.[1] ?? null
}

/**
 * Without those of services that nobody connected; what is wanted every day, such as mail, stands first and
 * always.
 */
function usable(parts: PromptParts): readonly ToolCard[] {
  const connected = connectedIn(parts)
  const isUsable = ({ id }: ToolCard): boolean => {
    const { credential = null } = toolOf(id) ?? {}
    return credential === null || isOfDay(id) || connected.has(credential)
  }
  const own = Object.keys(words.ABILITIES)
  // What is said most stands first: of the kernel's effects in the order of their list.
  const rank = ({ id }: ToolCard): number =>
    own.includes(id) ? 1 - own.indexOf(id) / own.length : Number(isOfDay(id)) * 3 + Number(isCore(id))
  // How the owner's system is set up is asked for by commands of its own, which help names by itself.
  return usableTools(parts.tools)
    .filter(({ sought }) => sought !== true)
    .filter(isUsable)
    .toSorted((one, other) => rank(other) - rank(one))
}

function isOfDay(id: string): boolean {
  return toolOf(id)?.actions.some(({ core }) => core === true) === true
}

function isCore(id: string): boolean {
  return toolOf(id)?.actions.some((action) => action.id === id && action.core === true) === true
}

export function toolOf(action: string): (typeof TOOL_MANIFESTS)[number] | undefined {
  return TOOL_MANIFESTS.find(({ actions }) => actions.some(({ id }) => id === action))
}

/** One line for each tool that this conversation really has. */
export function abilities(tools: readonly ToolCard[]): readonly string[] {
  return usableTools(tools)
    .filter(({ id }) => !words.SILENT_TOOLS.includes(id))
    .map(({ id, description }) => `- ${helpText(id) ?? line(description)}`)
}

function helpText(id: string): string | undefined {
  return actionWords(id)?.help ?? (Object.hasOwn(words.ABILITIES, id) ? words.ABILITIES[id] : undefined)
}
