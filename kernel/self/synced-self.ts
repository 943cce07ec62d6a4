/**
 * Facts about the assistant that home syncs to the edge: the persona, services and chats connected at home, and home models
 * that the edge may call; nothing above `internal` (X-01b). Validated on arrival. Called by tunnel/body.ts and by both places.
 */
import * as z from 'zod/mini'
import type { DeepReadonly } from '../flow/json.ts'
import type { Chats } from '../tool/channel.ts'
import { type RemoteModelList, remoteModelSchema } from '../tunnel/ask.ts'
import { OWN_NAME, type SelfSnapshot } from './snapshot.ts'

/** Maximum UTF-16 units of a name and of a style, and maximum entries of a list: every prompt of the edge contains them. */
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
  models: z.exactOptional(remoteModelSchema),
})

/**
 * `services`: what is connected at home, including chats, which have no tools (H-13). `models`: home models that the edge may
 * call; absent: none.
 */
export type SyncedSelf = DeepReadonly<z.output<typeof toldSchema>>

/** `chats`: the chats that belong to a service. Home's other chats, such as its terminal, do not concern the edge. */
export function toldOf(
  snapshot: SelfSnapshot,
  { lent = [], chats: known }: { readonly lent?: readonly RemoteModelList[]; readonly chats: Chats },
): SyncedSelf {
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
