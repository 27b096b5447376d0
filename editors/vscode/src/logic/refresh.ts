// One call some time after the last of many.

export class Debounced {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly milliseconds: number, private readonly call: () => void) {}

  trigger(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.call, this.milliseconds);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}

// Latest runs a task that takes time: while one runs, further wishes are one more run after it. Whoever wishes
// for a run waits until one has ended that began after the wish.
export class Latest {
  private running: Promise<void> | undefined;
  private again = false;

  constructor(private readonly task: () => Promise<void>) {}

  run(): Promise<void> {
    this.again = true;
    this.running ??= this.runAll();
    return this.running;
  }

  // idle waits until no task runs.
  async idle(): Promise<void> {
    await this.running;
  }

  private async runAll(): Promise<void> {
    try {
      while (this.again) {
        this.again = false;
        await this.task();
      }
    } finally {
      this.running = undefined;
    }
  }
}
