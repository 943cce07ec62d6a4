/**
 * Parses one line that the owner typed into the chat. Pure. A plain "yes" answers a card only if one is pending;
 * chat.ts determines which, and whether it was shown. Otherwise it is a message. Called by chat.ts.
 */

import { TURNS, type Turn, turnLabel } from '../../../kernel/features/approvals/card/card-face.ts'
import { helpText, helpTopic } from '../../../kernel/features/commands/help.ts'
import type { Place } from '../../../kernel/flow/place.ts'
import { commandsAt } from '../../../kernel/operations/commands.ts'
import {
  answerInMessage,
  choiceInMessage,
  isLooseAnswer,
  isOtherwiseSaid,
  isUnclearAnswer,
} from '../../../kernel/task/answers/answer-words.ts'
import { correctionIn } from '../../../kernel/task/answers/correction-words.ts'
import { editInMessage } from '../../../kernel/task/answers/edit-words.ts'
import { COMMANDS } from '../../../kernel/task/command.ts'
import { inEnglish } from '../../../kernel/wording/language.ts'
import type { Decision } from './cards.ts'

export type ChatLine =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'help'; readonly topic?: string }
  | { readonly kind: 'status' | 'approvals' | 'stop' | 'quit' }
  /**
   * `open`: the words may also refer to something shown after the card. `loose`: the words may also be a message; it holds their
   * text.
   */
  | {
      readonly kind: 'decide'
      readonly decision: Decision
      readonly which: string
      readonly open?: boolean
      readonly loose?: string
    }
  /** Words about a card that are neither yes nor no; sent as a message if no card was shown last. */
  | { readonly kind: 'unclear'; readonly text: string }
  /** The number of an option, if the card has that many; otherwise a message. */
  | { readonly kind: 'pick'; readonly option: number; readonly text: string }
  /** The owner's correction for a text on a card, as typed; the place applies it. */
  | { readonly kind: 'edit'; readonly text: string }
  /** Page of a card, from 1. */
  | { readonly kind: 'page'; readonly which: string; readonly page: number }
  | { readonly kind: 'turn'; readonly to: Turn }
  | { readonly kind: 'unknown'; readonly name: string }

const SIMPLE = {
  status: 'status',
  approvals: 'approvals',
  stop: 'stop',
  quit: 'quit',
  exit: 'quit',
} as const

const PAGE = /^\/approvals\s+(?<which>[\w.-]{1,80})(?:\s+(?<page>[1-9]\d{0,2}))?$/i

/** Compares with the labels in the owner's language and in English. */
function isSaid(turn: Turn, said: string): boolean {
  const labels = [turnLabel(turn), inEnglish(() => turnLabel(turn))]
  return labels.some((label) => label.toLowerCase() === said)
}

function turnIn(text: string): Turn | null {
  const said = text.trim().toLowerCase().replace(/[.!]$/, '')
  return TURNS.find((turn) => isSaid(turn, said)) ?? null
}

/** Help for the commands of this chat and of its place. `topic`: the words after `/help`; empty if there are none. */
export const chatHelp = (place: Place, topic = ''): string =>
  helpText([...commandsAt([], place), ...COMMANDS.filter(({ at }) => at === 'terminal')], topic)

/** `waiting`: number of pending approvals. */
export function parseChatLine(line: string, waiting: number): ChatLine {
  const text = line.trim()
  if (text === '') return { kind: 'nothing' }
  const said = answerInMessage(text)
  // If no card is pending, a bare word is sent to the place.
  if (said !== null && (waiting > 0 || text.startsWith('/')))
    return {
      ...{ kind: 'decide', ...said },
      ...(isOtherwiseSaid(text) && { open: true }),
      ...(isLooseAnswer(text) && { loose: text }),
    }
  if (waiting > 0 && isUnclearAnswer(text)) return { kind: 'unclear', text }
  const option = waiting > 0 ? choiceInMessage(text) : null
  if (option !== null) return { kind: 'pick', option, text }
  if (editInMessage(text) !== null || correctionIn(text) !== null) return { kind: 'edit', text }
  const to = waiting > 0 ? turnIn(text) : null
  if (to !== null) return { kind: 'turn', to }
  return text.startsWith('/') ? parseCommand(text) : { kind: 'say', text }
}

/** Whether the line may be about a pending card; only then is the number of pending cards requested. */
export function concernsCard(text: string): boolean {
  const answers = answerInMessage(text) !== null || choiceInMessage(text) !== null
  return answers || isUnclearAnswer(text) || turnIn(text) !== null
}

function parseCommand(text: string): ChatLine {
  const page = PAGE.exec(text)?.groups
  if (page !== undefined) return { kind: 'page', which: page['which'] ?? '', page: Number(page['page'] ?? 1) }
  const [name = ''] = text.slice(1).toLowerCase().split(/\s+/)
  if (name === 'help') return { kind: 'help', ...(helpTopic(text) !== '' && { topic: helpTopic(text) }) }
  if (Object.hasOwn(SIMPLE, name)) return { kind: SIMPLE[name as keyof typeof SIMPLE] }
  // Other commands are sent to the place, which knows the owner's own commands and reports unknown ones.
  return name === 'edit' ? { kind: 'unknown', name } : { kind: 'say', text }
}
