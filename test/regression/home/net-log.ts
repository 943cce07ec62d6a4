/** The log of watched-network.ts, and the environment that makes a process write one. For the regression tests. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface NetLog {
  /** For the process that is to be watched. */
  readonly env: Record<string, string>
  /** Every `lookup <name>` and `connect <address>` so far, in order. */
  lines(): readonly string[]
  /** Only what comes after this is told from now on. */
  clear(): void
}

export function createNetLog(names: Readonly<Record<string, readonly (readonly string[])[]>> = {}): NetLog {
  const file = join(mkdtempSync(join(tmpdir(), 'pfar-net-')), 'log')
  writeFileSync(file, '')
  return {
    env: {
      NODE_OPTIONS: `--import ${new URL('./watched-network.ts', import.meta.url).href} --disable-warning=ExperimentalWarning`,
      PFAR_TEST_NET_LOG: file,
      PFAR_TEST_NAMES: JSON.stringify(names),
    },
    lines: () => readFileSync(file, 'utf8').split('\n').filter(Boolean),
    clear: () => writeFileSync(file, ''),
  }
}
