/**
 * The schema of the sentences about the assistant in `templates/prompts/self.toml`, validated once at the start of a place.
 * Called by both places' loaders of texts and by render.ts.
 */
import * as z from 'zod/mini'
import { err, ok, type Result } from '../flow/verdict.ts'
import { INTEGRATION_STATES, type IntegrationState } from './section.ts'

const sentence = z.string().check(z.minLength(1), z.maxLength(400))
/** With a slot for a list. */
const listing = sentence.check(z.regex(/\{items\}/))

const schema = z.strictObject({
  style: sentence.check(z.regex(/\{style\}/)),
  first_run: sentence,
  lists: z.strictObject({
    integrations: listing,
    skills: listing,
    channels: listing,
    jobs: listing,
    categories: listing,
    preferences: listing,
    recent: listing,
    pending: listing,
  }),
  more: sentence.check(z.regex(/\{count\}/)),
  states: z.record(z.enum(INTEGRATION_STATES), sentence),
  ago: z.strictObject({ now: sentence, minutes: sentence, hours: sentence, days: sentence }),
  rules: z.strictObject({
    all: z.array(sentence).check(z.minLength(1)),
    owner: z.array(sentence),
  }),
})

export type SelfWords = z.output<typeof schema> & {
  readonly states: Readonly<Record<IntegrationState, string>>
}

/** Refusal: template_malformed, with the position in the file. */
export function parseSelfWords(decoded: unknown): Result<SelfWords> {
  const parsed = schema.safeParse(decoded)
  return parsed.success
    ? ok(parsed.data)
    : err('template_malformed', {
        file: 'self.toml',
        field: parsed.error.issues[0]?.path.join('.') ?? '',
      })
}
