/**
 * What home tells the edge of the assistant: the persona, the services and chats that are connected at home and the models there
 * that the edge may ask; nothing above `internal` (X-01b). Checked on arrival like everything that crosses. Called by tunnel/body.ts and by both places.
 */
import * as z from 'zod/mini'
import type { Chats } from '../tool/channel.ts'
import { type LentModel, lentSchema } from '../tunnel/model-ask.ts'
import { OWN_NAME, type SelfSnapshot } from './snapshot.ts'

/** UTF-16 units, and entries of a list: it stands in every prompt of the edge. */
const MOST = Object.freeze({ name: 40, style: 200, services: 50, categories: 50 })

const name = z.string().check(z.minLength(1), z.maxLength(MOST.name))

export const toldSchema = z.strictObject({
  persona: z.strictObject({
    name,
    style: z.nullable(z.string().check(z.minLength(1), z.maxLength(MOST.style))),
  }),
  services: z
    .array(
      z.strictObject({
        name,
        tools: z.int().check(z.nonnegative()),
        categories: z.array(name).check(z.maxLength(MOST.categories)),
      }),
    )
    .check(z.maxLength(MOST.services)),
  models: z.exactOptional(lentSchema),
})

/**
 * `services` is what is connected at home, the chats that it listens to among them, which have no tools (H-13); `models` what of its own
 * the edge may ask; none where it is absent.
 */
export type ToldSelf = z.output<typeof toldSchema>

/** `chats`: those that a service has of its own; the others of home's, such as its terminal, are nothing to the edge. */
export function toldOf(
  snapshot: SelfSnapshot,
  { lent = [], chats: known }: { readonly lent?: readonly LentModel[]; readonly chats: Chats },
): ToldSelf {
  const persona = snapshot.sections.find((section) => section.kind === 'persona')
  const services = snapshot.sections.find((section) => section.kind === 'integrations')
  const chats = snapshot.sections.find((section) => section.kind === 'channels')
  const active = (chats?.items ?? []).filter((chat) => Object.hasOwn(known, chat.name))
  return {
    persona: { name: persona?.name ?? OWN_NAME, style: persona?.style ?? null },
    services: [
      ...active.map((chat) => ({ name: chat.name, tools: 0, categories: [] })),
      ...(services?.items ?? []),
    ]
      .slice(0, MOST.services)
      .map(({ name: service, tools, categories }) => ({ name: service, tools, categories: [...categories] })),
    ...(lent.length > 0 && { models: lent.map((model) => ({ ...model })) }),
  }
}
