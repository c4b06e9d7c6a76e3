/** Routes by path: exact ones first, then the longest prefix that ends with `*`. */
export class RouteTable<Route extends { path: string }> {
  #routes: Route[] = [];

  /** Adds a route; the returned function takes it away. */
  add(route: Route): () => void {
    this.#routes.push(route);
    return () => {
      this.#routes = this.#routes.filter((other) => other !== route);
    };
  }

  /** Every route of the best matching path, in the order they were added. */
  match(path: string): Route[] {
    let best = '';
    for (const { path: pattern } of this.#routes) {
      if (pattern === path) return this.#of(pattern);
      if (pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1)) && pattern.length > best.length)
        best = pattern;
    }
    return this.#of(best);
  }

  #of(path: string): Route[] {
    return this.#routes.filter((route) => route.path === path);
  }
}
