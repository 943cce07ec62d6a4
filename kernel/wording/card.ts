/**
 * The approval card: the exact arguments that will run, in words of the kernel (F-03). Made from the same
 * labelled bytes as the digest, with every hidden character made visible. Called by authorize.ts.
 */
import type { Json } from '../flow/json.ts'
import { derive, type Labeled } from '../flow/labeled.ts'
import type { ReasonCode } from '../flow/verdict.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import { showHidden } from './characters.ts'
import { questionFor } from './words.ts'

export interface CardInput {
  readonly action: RegisteredAction
  readonly reason: ReasonCode
}

export function renderCard(
  args: Labeled<{ readonly [key: string]: Json }>,
  input: CardInput,
): Labeled<string> {
  return derive(args, (values) => {
    const lines = Object.entries(values).map(([name, value]) => `  ${name}: ${shown(value)}`)
    return [`May I do this? ${input.action.description}`, ...lines, questionFor(input.reason)].join('\n')
  })
}

/** A list item by item, each on a line of its own, so that one item never looks like two. */
function shown(value: Json): string {
  if (Array.isArray(value)) return value.map((item: Json) => `\n    - ${oneValue(item)}`).join('')
  return oneValue(value)
}

/** No line of a value can pass for a line of the card: what follows its first is marked. */
function oneValue(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return showHidden(text).replaceAll('\n', '\n    | ')
}
