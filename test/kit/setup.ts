/** Stops after each test file what the file started, also where files share their modules. Loaded by vitest (`setupFiles`). */
import { afterAll } from 'vitest'
import { endAll } from './stop.ts'

afterAll(endAll)
