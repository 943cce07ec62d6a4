/**
 * Reads one line that the owner typed into the chat. Pure. A plain "yes" is an answer to a card only when exactly one
 * card waits: with two, nobody can know which is meant, and with none it is a message. Called by chat.ts.
 */
import { COMMANDS } from '../../kernel/task/command.ts'
import { commandLines } from '../../kernel/wording/commands.ts'
import type { Decision } from './link.ts'

export type ChatLine =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'help' | 'status' | 'approvals' | 'stop' | 'quit' }
  | { readonly kind: 'decide'; readonly decision: Decision; readonly which: string }
  | { readonly kind: 'edit'; readonly which: string; readonly text: string }
  | { readonly kind: 'unknown'; readonly name: string }

const SIMPLE = {
  help: 'help',
  status: 'status',
  approvals: 'approvals',
  stop: 'stop',
  quit: 'quit',
  exit: 'quit',
} as const

const DECISIONS: Readonly<Record<string, Decision>> = { approve: 'approve', deny: 'deny' }

/** Words in place of a text, and nothing that could be taken for a yes. */
const EDIT = /^edit:\s*(?<words>\S[\s\S]*)$/i
const EDIT_COMMAND = /^\/edit\s+(?<which>\S+)\s+(?<words>\S[\s\S]*)$/i

const PLAIN: Readonly<Record<string, Decision>> = { yes: 'approve', y: 'approve', no: 'deny', n: 'deny' }

/** What the chat understands of its own; shown by /help. */
export const CHAT_HELP = [
  ...commandLines(COMMANDS),
  'edit: …         your own words for the text of the one that waits; shown again before it runs',
].join('\n')

/** `waiting`: how many approvals wait now. */
export function parseChatLine(line: string, waiting: number): ChatLine {
  const text = line.trim()
  if (text === '') return { kind: 'nothing' }
  const plain = plainDecision(text)
  if (plain !== null && waiting === 1) return { kind: 'decide', decision: plain, which: '' }
  const words = EDIT.exec(text)?.groups?.['words']
  if (words !== undefined && waiting === 1) return { kind: 'edit', which: '', text: words }
  return text.startsWith('/') ? parseCommand(text) : { kind: 'say', text }
}

/** Yes or no and nothing else: "no, on Friday" is a message. */
export function plainDecision(text: string): Decision | null {
  const word = text.trim().toLowerCase().replace(/[.!]$/, '')
  return Object.hasOwn(PLAIN, word) ? (PLAIN[word] ?? null) : null
}

/** A line that may be about a waiting card: only for one is it worth asking how many wait. */
export function concernsCard(text: string): boolean {
  return plainDecision(text) !== null || EDIT.test(text.trim())
}

function parseCommand(text: string): ChatLine {
  const edit = EDIT_COMMAND.exec(text)?.groups
  if (edit !== undefined) return { kind: 'edit', which: edit['which'] ?? '', text: edit['words'] ?? '' }
  const [name = '', which = ''] = text.slice(1).toLowerCase().split(/\s+/)
  if (Object.hasOwn(SIMPLE, name)) return { kind: SIMPLE[name as keyof typeof SIMPLE] }
  const decision = Object.hasOwn(DECISIONS, name) ? DECISIONS[name] : undefined
  if (decision !== undefined) return { kind: 'decide', decision, which }
  // The place answers the others: the owner's own are known there, and what is none of them, too.
  return name === 'edit' ? { kind: 'unknown', name } : { kind: 'say', text }
}
