/**
 * Hands the test clock on to the Node processes that this one starts, whatever environment they are given: production empties
 * it on purpose. Called by preload.ts. A child under Node's permission model or of another account keeps the real time: it may
 * read no file of tests.
 */
import { ChildProcess } from 'node:child_process'

interface Started {
  uid?: number | undefined
  args?: readonly string[]
  envPairs?: string[]
}

export function handOn(environment: Readonly<Record<string, string>>): void {
  // Every asynchronous way to start a process ends here.
  const prototype = ChildProcess.prototype as unknown as { spawn(options: Started): unknown }
  const { spawn } = prototype
  prototype.spawn = function (options) {
    const { args = [], envPairs = [], uid = process.getuid?.() } = options
    const confined = args.some((argument) => argument.startsWith('--permission'))
    if (confined || uid !== process.getuid?.()) {
      const names = Object.keys(environment)
      const own = envPairs.filter((pair) => !names.includes(pair.slice(0, pair.indexOf('='))))
      return spawn.call(this, { ...options, envPairs: own })
    }
    const given = envPairs.map((pair) => pair.slice(0, pair.indexOf('=')))
    const missing = Object.entries(environment).filter(([name]) => !given.includes(name))
    return spawn.call(this, { ...options, envPairs: [...envPairs, ...missing.map((pair) => pair.join('='))] })
  }
}
