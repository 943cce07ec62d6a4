/**
 * Starts home and ends it. Prints one line when ready, or one sentence and exit code 1 if it cannot start. Stops on SIGTERM, SIGINT
 * or the owner's command. Must not print data or a stack, which could quote a message. Run by main.js.
 */
import { loadSparingly, shortenModuleLoading } from './process/heap.ts'

// Suppresses Node's warning at every start that its SQLite is experimental.
process.removeAllListeners('warning')
shortenModuleLoading()
const loaded = loadSparingly()

let stopping = false
const asked = Promise.withResolvers<void>()
const stop = (): void => {
  // A second signal exits at once. Interrupted work is resumed at the next start.
  if (stopping) process.exit(1)
  stopping = true
  asked.resolve()
}
process.on('SIGTERM', stop).on('SIGINT', stop)

process.on('uncaughtException', (error) => {
  process.stderr.write(`home stopped by a fault (${error.name})\n`)
  process.exit(1)
})

void main()

async function main(): Promise<void> {
  const { startHome } = await import('./home/runtime.ts')
  const { watchIdleHeap } = await import('./process/heap.ts')
  const { checkAccount } = await import('./service/service.ts')
  const { startSentence } = await import('./process/start-sentence.ts')
  const { askAtStart } = await import('./keys/owner-terminal.ts')

  const account = checkAccount({ uid: process.getuid?.(), pid: process.pid, env: process.env })
  if (!account.ok) {
    process.stderr.write(`${startSentence(account.reason)}\n`)
    process.exit(1)
  }
  const home = await startHome({
    env: process.env,
    ask: askAtStart(process.env),
    onShutdown: stop,
    onLine: (line) => process.stderr.write(`${line}\n`),
    onFault: (part) => process.stderr.write(`home had a fault in: ${part}\n`),
  })
  if (!home.ok) {
    process.stderr.write(`${startSentence(home.reason)}\n`)
    process.exit(1)
  }
  loaded()
  const stopWatching = watchIdleHeap()
  process.stdout.write(`home ready socket=${home.value.socket} edge=${home.value.edge ?? 'none'}\n`)
  await asked.promise
  stopWatching()
  await home.value.stop()
  process.exit(0)
}
