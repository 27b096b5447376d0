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

// Latest runs a task that takes time: while one runs, further wishes are one more run after it.
export class Latest {
  private running = false;
  private again = false;

  constructor(private readonly task: () => Promise<void>) {}

  async run(): Promise<void> {
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = true;
    try {
      do {
        this.again = false;
        await this.task();
      } while (this.again);
    } finally {
      this.running = false;
    }
  }
}
