/** The output guard as a test calls it: the shipped prompts and names, and nothing read unless said. */
import type { Json } from '../../kernel/flow/json.ts'
import { EFFECT_IDS } from '../../kernel/powers/effects.ts'
import { guardAnswer } from '../../kernel/wording/guard/answer.ts'
import type { DeedRecord } from '../../kernel/wording/guard/deeds.ts'
import { ownNames } from '../../kernel/wording/guard/names.ts'
import { createNeedles } from '../../kernel/wording/guard/needles.ts'
import type { GuardContext } from '../../kernel/wording/guard/unit.ts'
import { readPromptTexts } from '../../sidecar/config/home-texts.ts'

export const TEXTS = readPromptTexts()
const OWN = ownNames(
  ['owner_private', 'owner_open', 'scheduling', 'email.list', 'web.read', ...EFFECT_IDS],
  TEXTS,
  'PFAR',
)

export interface Given {
  readonly read?: readonly Json[]
  readonly others?: readonly Json[]
  readonly done?: readonly string[]
  readonly failed?: readonly string[]
  readonly secrets?: readonly string[]
  readonly record?: DeedRecord
}

/** What others wrote was read too. */
export function contextOf({
  read = [],
  others = [],
  done = [],
  failed = [],
  secrets = [],
  record,
}: Given = {}): GuardContext {
  const needles = createNeedles()
  for (const secret of secrets) needles.add('canary', secret)
  const known = { find: needles.findSplit, names: needles.names, unfinished: needles.unfinished }
  return {
    read: [...read, ...others],
    others,
    done: () => done,
    failed: () => failed,
    known,
    own: OWN,
    ...(record !== undefined && { record }),
  }
}

export function guard(text: string, given: Given = {}): string {
  return guardAnswer(text, contextOf(given))
}
