/**
 * Both ends of the edge's question to a model of home's, joined by the frames that would cross the tunnel, and by nothing
 * else: what does not survive being a frame is refused here as it is there. Either end may be made to lie.
 */
import { createLentModel, type ModelDoor } from '../../durable-objects/lent-models.ts'
import { createTunnelAsks, MODELS, type Unsent } from '../../durable-objects/tunnel-asks.ts'
import { err } from '../../kernel/flow/verdict.ts'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import { type Lending, serveModelAsk } from '../../kernel/runtime/serve-model.ts'
import { type EphemeralBody, encodeFrame, parseFrame } from '../../kernel/tunnel/frame.ts'
import type { LentModel, ModelAsk, ModelTold } from '../../kernel/tunnel/model-ask.ts'
import { createLender } from '../../sidecar/tunnel-models.ts'

/** The edge's number of the one connection. */
export const EPOCH = 5

export interface Lies {
  /** What the edge sends in place of a frame; several are sent one after another. */
  readonly edge?: (body: EphemeralBody) => readonly unknown[]
  readonly home?: (body: EphemeralBody) => readonly unknown[]
}

export interface Bridge {
  readonly link: { up: boolean }
  /** Why a frame was refused, and ids of questions that came twice. */
  readonly denied: string[]
  /** What crossed, in order. */
  readonly crossed: EphemeralBody[]
  model(lent: LentModel): ModelProvider
  /** The connection breaks. */
  cut(): void
}

export function createBridge(lending: Lending, lies: Lies = {}): Bridge {
  const link = { up: true }
  const denied: string[] = []
  const crossed: EphemeralBody[] = []
  const models = createTunnelAsks<Unsent<ModelAsk>, ModelTold>(MODELS)
  const lender = createLender({
    serve: (ask, signal) => serveModelAsk(lending, ask, signal),
    replayed: (id) => void denied.push(`replayed ${id}`),
  })
  const cross = (bodies: readonly unknown[], take: (body: EphemeralBody) => void): void => {
    for (const body of bodies) {
      const frame = parseFrame(encodeFrame({ kind: 'ephemeral', body: body as EphemeralBody }))
      if (!frame.ok) denied.push(frame.reason.code)
      else if (frame.value.kind === 'ephemeral') {
        crossed.push(frame.value.body)
        take(frame.value.body)
      }
    }
  }
  const toEdge = (body: EphemeralBody): void =>
    cross(lies.home?.(body) ?? [body], (each) => {
      if (each.type === 'model_told' && !models.take(each.told)) denied.push(`unasked ${each.told.id}`)
    })
  const toHome = (body: EphemeralBody): void =>
    cross(lies.edge?.(body) ?? [body], (each) => {
      if (each.type === 'model_ask') lender.take(each.ask)
      if (each.type === 'model_stop') lender.stop(each.id)
    })
  lender.attach(EPOCH, toEdge)
  let next = 0
  const door: ModelDoor = {
    askModel: async (ask) =>
      link.up
        ? models.ask(ask, EPOCH, (text) =>
            toHome((JSON.parse(text) as { readonly body: EphemeralBody }).body),
          )
        : err('home_offline'),
    dropModel: async (id) => {
      if (models.drop(id)) toHome({ type: 'model_stop', id })
    },
  }
  return {
    ...{ link, denied, crossed },
    model: (lent) =>
      createLentModel(lent, {
        newId: () => {
          next += 1
          return `c${next}`
        },
        door: () => door,
      }),
    cut() {
      link.up = false
      lender.detach()
      models.lost()
    },
  }
}
