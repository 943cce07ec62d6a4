/**
 * Both ends of the edge's requests to home's models, joined only by the frames that would cross the tunnel: what cannot be encoded
 * as a frame is refused as there. Either end can be made to lie.
 */
import { createRemoteModel, type ModelDoor } from '../../durable-objects/principal/remote-models.ts'
import { createTunnelAsks, MODELS, type Unsent } from '../../durable-objects/tunnel/ephemeral.ts'
import { type Lending, serveModelAsk } from '../../kernel/features/models/serve-model.ts'
import { err } from '../../kernel/flow/verdict.ts'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import type { ModelAsk, ModelResponse, RemoteModelList } from '../../kernel/tunnel/ask.ts'
import { type EphemeralBody, encodeFrame, parseFrame } from '../../kernel/tunnel/frame.ts'
import { createLender } from '../../sidecar/tunnel/tunnel-models.ts'

/** The edge's number of the connection. */
export const EPOCH = 5

export interface Lies {
  /** What the edge sends instead of a frame; several are sent one after another. */
  readonly edge?: (body: EphemeralBody) => readonly unknown[]
  readonly home?: (body: EphemeralBody) => readonly unknown[]
}

export interface Bridge {
  readonly link: { up: boolean }
  /** Reasons of refused frames, and ids of requests that came twice. */
  readonly denied: string[]
  /** Frames that crossed, in order. */
  readonly crossed: EphemeralBody[]
  model(lent: RemoteModelList): ModelProvider
  /** The connection ends. */
  cut(): void
}

export function createBridge(lending: Lending, lies: Lies = {}): Bridge {
  const link = { up: true }
  const denied: string[] = []
  const crossed: EphemeralBody[] = []
  const models = createTunnelAsks<Unsent<ModelAsk>, ModelResponse>(MODELS)
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
      createRemoteModel(lent, {
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
