/**
 * The product's own Worker and Durable Objects, with a count of the rows that they write, by statement, as the platform counts
 * them. The product's bundle contains none of this. Called by bench/rows.ts.
 */

import type { EdgeEnv } from '../../durable-objects/platform/env.ts'
import { PrincipalObject as ProductPrincipalObject } from '../../durable-objects/principal/principal.ts'
import { KernelObject as ProductKernelObject } from '../../durable-objects/registry/kernel.ts'
import { TunnelObject as ProductTunnelObject } from '../../durable-objects/tunnel/tunnel.ts'
import { createApp } from '../../worker/app.ts'

/** Rows written since the last request for them, by object and statement. The Worker and its objects share one isolate. */
const written = new Map<string, number>()

function note(what: string, rows: number): void {
  if (rows > 0) written.set(what, (written.get(what) ?? 0) + rows)
}

/** Makes an object's storage count its writes: a statement's own count, one row per stored value and one per alarm. */
function counted({ storage }: DurableObjectState, object: string): void {
  const { sql, kv } = storage
  const { exec } = sql
  sql.exec = ((query: string, ...values: unknown[]) => {
    const cursor = exec.call(sql, query, ...values)
    note(`${object}: ${query.replace(/\s+/g, ' ').slice(0, 60)}`, cursor.rowsWritten)
    return cursor
  }) as typeof exec
  const { put, delete: remove } = kv
  kv.put = ((name: string, value: unknown) => {
    note(`${object}: value ${name.split(':')[0]}`, 1)
    put.call(kv, name, value)
  }) as typeof put
  kv.delete = ((name: string) => {
    const was = remove.call(kv, name)
    note(`${object}: value ${name.split(':')[0]} deleted`, was ? 1 : 0)
    return was
  }) as typeof remove
  const { setAlarm } = storage
  storage.setAlarm = ((...alarm: Parameters<typeof setAlarm>) => {
    note(`${object}: alarm`, 1)
    return setAlarm.apply(storage, alarm)
  }) as typeof setAlarm
}

export class PrincipalObject extends ProductPrincipalObject {
  constructor(ctx: DurableObjectState, env: EdgeEnv) {
    counted(ctx, 'principal')
    super(ctx, env)
  }
}

export class KernelObject extends ProductKernelObject {
  constructor(ctx: DurableObjectState, env: EdgeEnv) {
    counted(ctx, 'kernel')
    super(ctx, env)
  }
}

export class TunnelObject extends ProductTunnelObject {
  constructor(ctx: DurableObjectState, env: EdgeEnv) {
    counted(ctx, 'tunnel')
    super(ctx, env)
  }
}

const app = createApp()
app.post('/bench/written', () => {
  const all = Object.fromEntries(written)
  written.clear()
  return Response.json(all)
})

export default app
