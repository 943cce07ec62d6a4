/**
 * The floor of the tunnel: a bare Worker → Durable Object with one hibernating WebSocket that echoes each message, at once or,
 * under `/stored`, after one write to SQLite. No signature, no order, no outbox. Called by bench/tunnel.ts only.
 */
import { DurableObject } from 'cloudflare:workers'

interface EchoEnv {
  readonly ECHO: DurableObjectNamespace<EchoObject>
}

export class EchoObject extends DurableObject<EchoEnv> {
  constructor(ctx: DurableObjectState, env: EchoEnv) {
    super(ctx, env)
    ctx.storage.sql.exec('create table if not exists heard (name text primary key, count integer)')
  }

  override async fetch(request: Request): Promise<Response> {
    const { 0: client, 1: server } = new WebSocketPair()
    this.ctx.acceptWebSocket(server, [new URL(request.url).pathname])
    return new Response(null, { status: 101, webSocket: client })
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    if (this.ctx.getTags(socket).includes('/stored')) this.store()
    socket.send(message)
  }

  private store(): void {
    this.ctx.storage.sql.exec(
      "insert into heard values ('all', 1) on conflict do update set count = count + 1",
    )
  }
}

export default {
  fetch: (request: Request, env: EchoEnv): Promise<Response> => env.ECHO.getByName('home').fetch(request),
}
