/**
 * Limits of texts and progress that home sends to the owner's chat at the edge (`handover-port.ts`), validated on arrival at
 * both ends. Must not judge labels. Called by body.ts.
 */
import * as z from 'zod/mini'
import { DOINGS } from '../features/deliveries/work-port.ts'
import { EVENT_BOUNDS } from '../task/event.ts'

/** Maximum UTF-16 units of a text for the chat: at four bytes each it fits one frame. */
export const MOST_HANDED = 200_000
/** Maximum number of steps that a progress report may name. */
const MOST_STEPS = 100

type Name = z.ZodMiniType<string>

const words = z.string().check(z.maxLength(EVENT_BOUNDS.text))

export const saidThereSchema = (name: Name) =>
  z.strictObject({
    ...{ id: name, text: words, quoted: z.array(words).check(z.maxLength(EVENT_BOUNDS.quoted)) },
    version: z.exactOptional(z.enum(['edited', 'elsewhere'])),
  })

export const handedSchema = (name: Name) =>
  z.strictObject({
    ...{ id: name, label: name, kind: z.enum(['answer', 'notice']), said: z.exactOptional(name) },
    text: z.string().check(z.maxLength(MOST_HANDED)),
  })

/** A step number. May exceed the steps of a plan and carries no other information. */
const step = z.int().check(z.nonnegative(), z.maximum(MOST_STEPS))

export const homeWorkSchema = (name: Name) =>
  z.discriminatedUnion('on', [
    z.strictObject({ on: z.literal('call'), id: name, task: name }),
    z.strictObject({
      ...{ on: z.literal('said'), id: name },
      how: z.nullable(
        z.strictObject({
          ...{ doing: z.enum(DOINGS), step, steps: step },
          shown: z.exactOptional(z.literal(true)),
        }),
      ),
    }),
    z.strictObject({ on: z.literal('rest'), id: name }),
  ])

export const handedBackSchema = (name: Name) =>
  z.discriminatedUnion('ok', [
    z.strictObject({ id: name, ok: z.literal(true) }),
    z.strictObject({
      ...{ id: name, ok: z.literal(false), reason: name },
      after: z.exactOptional(z.int().check(z.nonnegative())),
    }),
  ])
