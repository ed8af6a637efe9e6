"""Look up several products of the catalog at once."""

import asyncio


async def run(skus: list) -> dict:
    """Look up several products of the catalog at once.

    Args:
        skus: Product numbers. One that the catalog does not know is left out of the result.

    Returns:
        The products by number, in the order of `skus`.
    """
    products = await asyncio.gather(*(product(sku) for sku in skus))
    return {sku: found for sku, found in zip(skus, products) if found is not None}


async def product(sku: str) -> dict | None:
    try:
        return await tools.catalog.product.call_async(sku=sku)
    except ToolCallError as error:
        if error.status == 404:
            return None
        raise
