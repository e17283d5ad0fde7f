/** How often a server that dies is started again: at most `limit` times within `window` milliseconds. */
export class RestartBudget {
  private deaths: number[] = [];

  constructor(
    private readonly limit: number,
    private readonly window: number,
  ) {}

  /** Counts a death at `now` and says whether the server may be started once more. */
  allows(now: number): boolean {
    this.deaths = [...this.deaths.filter((death) => now - death < this.window), now];
    return this.deaths.length <= this.limit;
  }
}
