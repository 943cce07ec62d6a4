/**
 * Secrets at the boundary of a model (D-05): removed from what a prompt takes over from outside or from earlier turns; a secret
 * that remains in the outgoing text refuses the call. Known values come from the place's list; keys and tokens are found by
 * shape. Must not return a value it found: a reason names the secret and the part. Pure; called by finalize.ts.
 */
import { mapStrings } from '../flow/json.ts'
import { err, type Refusal } from '../flow/verdict.ts'
import type { KnownSecrets } from '../wording/guard/needles.ts'
import { scrubTokens, tokenNames } from '../wording/guard/secrets.ts'
import type { PromptParts } from './parts.ts'

export interface PromptSecrets {
  /** `Powers.redact`: removes known values and reports each find. */
  readonly redact: (text: string) => string
  readonly known: Pick<KnownSecrets, 'names'>
}

/**
 * Removes secrets from tool results, the conversation and notes of it. Otherwise one of them would refuse every later call as
 * well, which the author of a mail could cause on purpose. The owner's current words, the owner's files and the program's texts
 * stay as they are, for `leakIn` to refuse.
 */
export function withoutRecalled(parts: PromptParts, { redact }: PromptSecrets): PromptParts {
  const clean = (text: string): string => scrubTokens(redact(text))
  const { self, blocks, history, metadata, contents } = parts
  return {
    ...parts,
    self: { ...self, sections: self.sections.map((section) => mapStrings(section, clean)) },
    blocks: blocks.map((each) => ({ ...each, text: clean(each.text) })),
    history: history.map(clean),
    metadata: metadata.map((part) => ({ ...part, fields: mapStrings(part.fields, redact) })),
    contents: contents.map((part) => ({ ...part, content: mapStrings(part.content, clean) })),
  }
}

/** Refusal if a secret remains: secret_in_prompt; null where there is none. `texts`: everything that would leave. */
export function leakIn(
  parts: PromptParts,
  {
    texts,
    model,
    known,
  }: Pick<PromptSecrets, 'known'> & { readonly texts: readonly string[]; readonly model: string },
): Refusal | null {
  const secretIn = (text: string): string | undefined => known.names(text)[0] ?? tokenNames(text)[0]
  const secret = secretIn(texts.join('\n'))
  if (secret === undefined) return null
  const part = ownParts(parts).find(([, text]) => secretIn(text) !== undefined)?.[0] ?? 'elsewhere'
  return err('secret_in_prompt', { model, secret, part }).reason
}

/** The caller's own texts, for a model that reads typed parts only. The other parts were already cleaned. */
export function ownTexts(parts: PromptParts): readonly string[] {
  return ownParts(parts).map(([, text]) => text)
}

/** With names that an audit row may contain. */
function ownParts(parts: PromptParts): readonly (readonly [name: string, text: string])[] {
  const { request, instruction, options, document, directives } = parts
  return [
    ['request', request],
    ['instruction', [instruction ?? '', ...options].join('\n')],
    ...directives.map(({ name, text }) => [name, text] as const),
    ['document', document],
  ]
}
