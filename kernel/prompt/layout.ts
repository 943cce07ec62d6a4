/**
 * The order of a prompt's text (DESIGN §4): identity first, rules, role, then data, and the short rules last.
 * Outside content stands in blocks whose boundary a stranger cannot guess. Pure text; called by finalize.ts.
 */
import { canonicalJson, type Json } from '../flow/json.ts'
import type { PromptParts, PromptTexts } from './parts.ts'

export function layOut(
  parts: PromptParts,
  texts: PromptTexts,
  boundary: string,
): { readonly system: string; readonly user: string } {
  const system = [texts.identity, texts.rules, texts.roles[parts.purpose], texts.lastRules].join('\n\n')
  const blocks = [
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
  return { system, user: blocks.join('\n\n') }
}

function section(name: string, items: readonly unknown[]): string[] {
  return items.length === 0
    ? []
    : [`[${name}]\n${items.map((item) => canonicalJson(item as Json)).join('\n')}`]
}

/** Data from outside: JSON, so that no line of it can look like a section, inside a per-call boundary. */
function fenced(boundary: string, name: string, content: Json): string {
  return `[data ${boundary} ${name}]\n${canonicalJson(content)}\n[/data ${boundary}]`
}
