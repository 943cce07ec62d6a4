/**
 * The order of a prompt's text (DESIGN §4): identity first, rules, what the assistant is, its role; behind the cache
 * break what changes from call to call; the short rules last; then data, in blocks whose boundary a stranger cannot
 * guess. Pure text; called by finalize.ts.
 */
import { canonicalJson, type Json } from '../flow/json.ts'
import { renderSelf } from '../self/render.ts'
import { nameIn } from '../self/snapshot.ts'
import { named } from './identity.ts'
import type { DirectivePlace, PromptParts, PromptTexts } from './parts.ts'
import { dataBlock } from './sanitize-block.ts'

/** A prompt's three stretches. A provider that caches is told to do so behind the first (P-21). */
export interface Layout {
  /** Byte for byte the same over the calls of one purpose, until the assistant itself changes: no time, id or version. */
  readonly stable: string
  readonly dynamic: string
  readonly user: string
}

export function layOut(
  parts: PromptParts,
  texts: PromptTexts,
  { boundary, identity }: { readonly boundary: string; readonly identity: string },
): Layout {
  const { sections, version } = parts.self
  const self = renderSelf({ sections, audience: parts.audience, words: texts.self })
  const own = (place: DirectivePlace): readonly string[] =>
    parts.directives.filter((each) => each.place === place).map(({ name, text }) => `## ${name}\n${text}`)
  const role = texts.roles[parts.purpose]
  const stable = [identity, texts.rules, self.stable, role, parts.document, ...own('stable')]
  const blocks = parts.blocks.map(({ name, text, outside }) =>
    outside === true ? fenced(boundary, name, text) : `[${name}] ${text}`,
  )
  const last = [...own('last'), named(texts.lastRules, nameIn(sections))]
  const dynamic = [`[self ${version}]`, self.volatile, ...blocks, ...own('dynamic'), ...last]
  const user = [
    ...section('tools', parts.tools),
    ...section('history', parts.history),
    ...section('metadata', parts.metadata),
    ...parts.contents.map((content) =>
      fenced(boundary, `${content.root} ${content.action}`, content.content),
    ),
    ...section('not done', parts.troubles),
    ...section('instruction', parts.instruction === null ? [] : [parts.instruction]),
    ...section('options', parts.options),
    `[output] ${canonicalJson({ ...parts.output })}`,
    `[request]\n${parts.request}`,
  ]
  return { stable: joined(stable), dynamic: joined(dynamic), user: user.join('\n\n') }
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}

function section(name: string, items: readonly unknown[]): string[] {
  return items.length === 0
    ? []
    : [`[${name}]\n${items.map((item) => canonicalJson(item as Json)).join('\n')}`]
}

/** Data from outside: JSON, so that no line of it can look like a section, inside a per-call boundary. */
function fenced(boundary: string, name: string, content: Json): string {
  return dataBlock({ boundary, name, body: canonicalJson(content) })
}
