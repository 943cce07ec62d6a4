/** Types of the bindings and of provided values inside the worker suite. */
import type { FakeEnv } from '../fakes/worker/index.ts'

declare global {
  interface ImportMeta {
    /** Vite's glob: matching modules, each with its loader. */
    glob(pattern: string): Readonly<Record<string, () => Promise<unknown>>>
  }
  namespace Cloudflare {
    interface Env extends FakeEnv {}
    interface GlobalProps {
      mainModule: typeof import('../fakes/worker/index.ts')
    }
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Origin of the server in loopback.ts. */
    loopback: string
    /** Origin of the scripted Bot API. */
    telegram: string
  }
}
