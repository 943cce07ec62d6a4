/** The Worker's entry: the application and the classes of its Durable Objects, nothing else. Called by the platform. */
import { createApp } from './app.ts'

export { KernelObject } from '../durable-objects/kernel.ts'
export { PrincipalObject } from '../durable-objects/principal.ts'
export { TunnelObject } from '../durable-objects/tunnel.ts'

export default createApp()
