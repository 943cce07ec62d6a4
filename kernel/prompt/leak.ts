/**
 * Secrets at the boundary of a model (D-05): what a prompt takes along from elsewhere is cleaned of them, and what is left in
 * the text that would leave refuses the call. Known values through the place that knows them, keys and tokens by their shape.
 * Must not return what it found: a reason names the secret and the part it stood in. Pure; called by finalize.ts.
 */
import { mapStrings } from '../flow/json.ts'
import { err, type Refusal } from '../flow/verdict.ts'
import type { KnownSecrets } from '../wording/guard/needles.ts'
import { scrubTokens, tokenNames } from '../wording/guard/secrets.ts'
import type { PromptParts } from './parts.ts'

export interface PromptSecrets {
  /** `Powers.redact`: takes the known values out, and reports each find. */
  readonly redact: (text: string) => string
  readonly known: Pick<KnownSecrets, 'names'>
}

/**
 * Without secrets in what comes from outside or from before: tool results, the conversation, notes of it. They would
 * otherwise refuse every later call as well, and whoever writes a mail could have that. What its owner says in this call, his
 * files and the program's own texts are left as they are, for `leakIn` to refuse.
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

/** What still holds one. `texts`: all that would leave. Refusal: secret_in_prompt; null where there is none. */
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

/** What a model that reads typed parts alone is given of the caller's own words: the rest is cleaned already. */
export function ownTexts(parts: PromptParts): readonly string[] {
  return ownParts(parts).map(([, text]) => text)
}

/** By the names that an audit line may say. */
function ownParts(parts: PromptParts): readonly (readonly [name: string, text: string])[] {
  const { request, instruction, options, document, directives } = parts
  return [
    ['request', request],
    ['instruction', [instruction ?? '', ...options].join('\n')],
    ...directives.map(({ name, text }) => [name, text] as const),
    ['document', document],
  ]
}
