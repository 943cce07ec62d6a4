/**
 * Finds a free port for the edge, the demo or the evaluation. Must not keep it bound: the server binds it itself. Called by
 * bring-up.ts, demo.ts and bench/evaluate/main.ts.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { done, type Outcome, trouble } from './outcome.ts'

const HOST = '127.0.0.1'

/** The wanted port, or any free one if another program has it. Throws if there is none at all. */
export async function preferredPort(wanted: number): Promise<number> {
  const port = await freePort(wanted)
  if (port.ok) return port.value
  const other = await freePort(0)
  if (!other.ok) throw new Error(other.sentence)
  return other.value
}

/** The wanted port if it is free; for 0, any free one. */
export async function freePort(wanted: number): Promise<Outcome<number>> {
  const server = createServer()
  try {
    server.listen(wanted, HOST)
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : wanted
    server.close()
    await once(server, 'close')
    return done(port)
  } catch (error) {
    const denied = (error as NodeJS.ErrnoException).code === 'EACCES'
    return trouble(
      denied
        ? `Port ${wanted} needs rights that PFAR has not. Choose another: npm start -- --port 0`
        : `Port ${wanted} is taken by another program. Choose another: npm start -- --port 0`,
    )
  }
}
