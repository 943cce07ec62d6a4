/**
 * Parses the sentences that packages declare into trees, from which training takes words and samples. Must not match messages.
 * Called by scripts/train.
 */
import type { WordLists } from '../../tools/phrase.ts'

export type Node =
  | { readonly is: 'word'; readonly text: string }
  | { readonly is: 'slot'; readonly name: string }
  | { readonly is: 'one'; readonly of: readonly (readonly Node[])[]; readonly optional: boolean }
  | { readonly is: 'run'; readonly of: readonly (readonly Node[])[] }

/** Maximum nesting of word lists, so that a list that names itself ends. */
const DEPTH = 4

/** Parses the main part of a sentence; its required and excluded words (`+ …`, `- …`) are ignored. */
export function treeOf(source: string, lists: WordLists, depth = 0): readonly Node[] {
  const main = source.split(/ (?=[+-] )/)[0] ?? ''
  const tokens = main.match(/\{[^}]*\}|<\w+>\*?|\.\.\.|[()[\]|]|!\(|[^\s()[\]|<>{}]+/g) ?? []
  const reader = { tokens, at: 0, lists, depth }
  return alternativesOf(reader)[0] ?? []
}

interface Reader {
  readonly tokens: readonly string[]
  at: number
  readonly lists: WordLists
  readonly depth: number
}

function alternativesOf(reader: Reader): readonly (readonly Node[])[] {
  const found: Node[][] = [[]]
  for (let token = reader.tokens[reader.at]; token !== undefined; token = reader.tokens[reader.at]) {
    if (token === ')' || token === ']') break
    reader.at += 1
    if (token === '|') found.push([])
    else found.at(-1)?.push(...nodesOf(token, reader))
  }
  return found
}

function nodesOf(token: string, reader: Reader): readonly Node[] {
  if (token === '(' || token === '[' || token === '!(') {
    const of = alternativesOf(reader)
    reader.at += 1
    return token === '!(' ? [] : [{ is: 'one', of, optional: token === '[' }]
  }
  if (token === '...') return [{ is: 'slot', name: '...' }]
  if (token.startsWith('{')) return [{ is: 'slot', name: token.slice(1, -1) }]
  if (!token.startsWith('<')) return [{ is: 'word', text: token }]
  const rows = reader.depth > DEPTH ? [] : (reader.lists[token.replace(/[<>*]/g, '')] ?? [])
  const of = rows.map((row) => treeOf(row, reader.lists, reader.depth + 1))
  return of.length === 0 ? [] : [token.endsWith('*') ? { is: 'run', of } : { is: 'one', of, optional: false }]
}

/** All words of a sentence, including those of its lists. */
export function treeWords(nodes: readonly Node[]): readonly string[] {
  return nodes.flatMap((node) => {
    if (node.is === 'word') return [node.text]
    return node.is === 'slot' ? [] : node.of.flatMap(treeWords)
  })
}

/** Draws one sentence of the tree: its words, with slots as `{name}`. `random` returns numbers from 0 to 1, 1 excluded. */
export function sampleOf(nodes: readonly Node[], random: () => number): readonly string[] {
  return nodes.flatMap((node) => {
    if (node.is === 'word') return [node.text]
    if (node.is === 'slot') return [`{${node.name}}`]
    const rounds = node.is === 'run' ? Math.floor(random() * 3) : node.optional && random() < 0.5 ? 0 : 1
    return Array.from({ length: rounds }).flatMap(() =>
      sampleOf(node.of[Math.floor(random() * node.of.length)] ?? [], random),
    )
  })
}
